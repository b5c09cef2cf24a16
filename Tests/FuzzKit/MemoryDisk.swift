// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yWire

/// A directory that holds what an input puts there, and never fails.
final class MemoryDisk: Disk {
  private var files: [String: MemoryFile] = [:]
  private var folders: Set<String> = []

  /// Puts a file there, in the place of what bore its name.
  func put(_ name: String, _ bytes: [UInt8]) {
    folders.remove(name)
    files[name] = MemoryFile(bytes)
  }

  /// Puts something there that is no file.
  func putFolder(_ name: String) {
    files[name] = nil
    folders.insert(name)
  }

  func names(in folder: String?) -> [String] {
    let all = folders.union(files.keys)
    guard let folder else { return all.filter { !$0.contains("/") }.sorted() }
    let start = folder + "/"
    return all.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }.sorted()
  }

  func measure(_ name: String) throws(Errno) -> DiskEntry {
    if folders.contains(name) {
      return DiskEntry(kind: .other, size: 0, modifiedMicroseconds: 0)
    }
    let size = try find(name).size()
    return DiskEntry(kind: .file, size: size, modifiedMicroseconds: 0)
  }

  func open(_ name: String) throws(Errno) -> any DiskFile { try find(name) }

  func openInPlace(_ name: String) throws(Errno) -> any DiskFile { try find(name) }

  func create(_ name: String) throws(Errno) -> any DiskFile {
    guard files[name] == nil, !folders.contains(name) else { throw .fileExists }
    let file = MemoryFile([])
    files[name] = file
    return file
  }

  func rename(_ name: String, to other: String) throws(Errno) {
    if folders.remove(name) != nil {
      folders.insert(other)
    } else {
      files[other] = try find(name)
      files[name] = nil
    }
  }

  func remove(_ name: String) throws(Errno) {
    _ = try find(name)
    files[name] = nil
  }

  func makeFolder(_ name: String) { folders.insert(name) }

  func synchronizeNames() {}

  private func find(_ name: String) throws(Errno) -> MemoryFile {
    guard !folders.contains(name) else { throw .invalidArgument }
    guard let file = files[name] else { throw .noSuchFile }
    return file
  }
}

private final class MemoryFile: DiskFile {
  private var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var number: Int32? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    let rest = bytes.dropFirst(Int(offset)).prefix(buffer.count)
    buffer.copyBytes(from: rest)
    return rest.count
  }

  func write(_ bytes: Span<UInt8>, at offset: Int64) -> Int {
    let end = Int(offset) + bytes.count
    if end > self.bytes.count {
      self.bytes += [UInt8](repeating: 0, count: end - self.bytes.count)
    }
    for index in 0..<bytes.count { self.bytes[Int(offset) + index] = bytes[index] }
    return bytes.count
  }

  func truncate(to size: Int64) { bytes = Array(bytes.prefix(Int(size))) }

  func size() -> Int64 { Int64(bytes.count) }

  func synchronize() {}
}

/// Answers that everything is safe, when it is asked.
final class PromptSyncing: Syncing {
  private var isAsked = false

  func request(_ file: any DiskFile, isNew: Bool) -> Bool {
    defer { isAsked = true }
    return !isAsked
  }

  func answer() -> Result<Void, Errno>? {
    defer { isAsked = false }
    return isAsked ? .success(()) : nil
  }
}
