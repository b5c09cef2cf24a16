// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog
package import A11yPosix

/// A directory in memory, on a medium that does what a test says.
package final class MemoryDisk: Disk {
  /// A request of the log to a disk.
  package enum Call: CaseIterable, Sendable {
    case names, measure, open, create, rename, remove, makeFolder, synchronizeNames
    case read, write, truncate, size, synchronize
  }

  /// A file, and the part of it that a loss of power would leave.
  private final class Content {
    var bytes: [UInt8]
    var safe: [UInt8]
    /// Its last name, for holders of an open descriptor.
    var name = ""
    let birth: FileBirth

    init(_ bytes: [UInt8], safe: [UInt8], _ birth: FileBirth = .random()) {
      self.bytes = bytes
      self.safe = safe
      self.birth = birth
    }
  }

  private var files: [String: Content] = [:]
  private var folders: Set<String> = []
  /// The directory on the medium.
  private var safeFiles: [String: Content] = [:]
  private var safeFolders: Set<String> = []
  /// The calls until now, reads of any kind not counted.
  package private(set) var calls = 0
  /// The bytes that were read of each file.
  package private(set) var bytesRead: [String: Int] = [:]
  /// How long each write was, in their order.
  package private(set) var writes: [(name: String, bytes: Int)] = []
  /// Judges every call by what it is and whom it is for; nil lets it be.
  package var refusal: (Call, String) -> Errno? = { _, _ in nil }
  /// When all files were last written, by the wall clock.
  package var modified: Int64 = 0
  /// Bytes that can still be written; a write that wants more is cut short first, and then refused.
  package var room: Int?

  package init() {}

  /// The disk after a loss of power, on a medium that is well again.
  package func afterPowerLoss() -> MemoryDisk {
    let disk = MemoryDisk()
    for (name, content) in safeFiles {
      disk.files[name] = Content(content.safe, safe: content.safe, content.birth)
    }
    disk.folders = safeFolders
    disk.safeFiles = disk.files
    disk.safeFolders = safeFolders
    return disk
  }

  /// The disk as it is now, with what is safe and what is not, well again.
  package func snapshot() -> MemoryDisk {
    let disk = MemoryDisk()
    var copies: [ObjectIdentifier: Content] = [:]
    let copy = { (content: Content) -> Content in
      let known = copies[ObjectIdentifier(content)]
      let made = known ?? Content(content.bytes, safe: content.safe, content.birth)
      copies[ObjectIdentifier(content)] = made
      return made
    }
    disk.files = files.mapValues(copy)
    disk.safeFiles = safeFiles.mapValues(copy)
    disk.folders = folders
    disk.safeFolders = safeFolders
    return disk
  }

  /// The same files, as a machine has them that is started anew, on a medium that is well again.
  package func copy() -> MemoryDisk {
    let disk = MemoryDisk()
    for (name, content) in files {
      disk.files[name] = Content(content.bytes, safe: content.bytes, content.birth)
    }
    disk.folders = folders
    disk.safeFiles = disk.files
    disk.safeFolders = folders
    return disk
  }

  /// Other files with the same content, as a backup that is put back.
  package func backup() -> MemoryDisk {
    let disk = copy()
    disk.files = disk.files.mapValues { Content($0.bytes, safe: $0.bytes) }
    disk.safeFiles = disk.files
    return disk
  }

  // MARK: As the test sees it

  /// Puts something there that is no file.
  package func putFolder(_ name: String) {
    folders.insert(name)
    safeFolders.insert(name)
  }

  /// The content of a file; nil where it is not there.
  package subscript(_ name: String) -> [UInt8]? {
    get { files[name]?.bytes }
    set {
      let birth = files[name]?.birth ?? .random()
      files[name] = newValue.map { Content($0, safe: $0, birth) }
      safeFiles[name] = files[name]
    }
  }

  /// Flips a bit under whoever has the file open.
  package func flip(_ name: String, at offset: Int) { files[name]?.bytes[offset] ^= 1 }

  /// The names in the directory itself, sorted.
  package var names: [String] {
    files.keys.filter { !$0.contains("/") }.sorted() + folders.sorted()
  }

  /// The names of what was put into a folder, sorted.
  package func names(below folder: String) -> [String] {
    files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
      .sorted()
  }

  // MARK: As the log sees it

  private func ask(_ call: Call, _ name: String) throws(Errno) {
    switch call {
    case .names, .measure, .open, .read, .size: break
    case .create, .rename, .remove, .makeFolder, .synchronizeNames, .write, .truncate, .synchronize:
      calls += 1
    }
    if let error = refusal(call, name) { throw error }
  }

  package func names(in folder: String?) throws(Errno) -> [String] {
    try ask(.names, folder ?? "")
    guard let folder else { return names }
    guard folders.contains(folder) else { throw .noSuchFile }
    return names(below: folder)
  }

  package func measure(_ name: String) throws(Errno) -> DiskEntry {
    try ask(.measure, name)
    if folders.contains(name) {
      return DiskEntry(kind: .other, size: 4_096, modifiedMicroseconds: 0)
    }
    guard let content = files[name] else { throw .noSuchFile }
    return DiskEntry(
      kind: .file,
      size: Int64(content.bytes.count),
      modifiedMicroseconds: modified
    )
  }

  package func open(_ name: String) throws(Errno) -> any DiskFile {
    try ask(.open, name)
    return try existing(name)
  }

  package func openInPlace(_ name: String) throws(Errno) -> any DiskFile {
    try ask(.open, name)
    return try existing(name)
  }

  private func existing(_ name: String) throws(Errno) -> any DiskFile {
    if folders.contains(name) { throw .invalidArgument }
    guard let content = files[name] else { throw .noSuchFile }
    content.name = name
    return File(self, content)
  }

  package func create(_ name: String) throws(Errno) -> any DiskFile {
    try ask(.create, name)
    guard files[name] == nil, !folders.contains(name) else { throw .fileExists }
    let content = Content([], safe: [])
    files[name] = content
    content.name = name
    return File(self, content)
  }

  package func rename(_ name: String, to other: String) throws(Errno) {
    try ask(.rename, name)
    if folders.remove(name) != nil {
      folders.insert(other)
      return
    }
    guard let content = files.removeValue(forKey: name) else { throw .noSuchFile }
    content.name = other
    files[other] = content
  }

  package func remove(_ name: String) throws(Errno) {
    try ask(.remove, name)
    if folders.contains(name) { throw .isDirectory }
    guard files.removeValue(forKey: name) != nil else { throw .noSuchFile }
  }

  package func makeFolder(_ name: String) throws(Errno) {
    try ask(.makeFolder, name)
    folders.insert(name)
  }

  package func synchronizeNames() throws(Errno) {
    try ask(.synchronizeNames, "")
    safeFiles = files
    safeFolders = folders
  }

  /// An open file, which stays what it is when its name is gone.
  private final class File: DiskFile {
    private let disk: MemoryDisk
    private var name: String { content.name }
    private let content: Content

    init(_ disk: MemoryDisk, _ content: Content) {
      self.disk = disk
      self.content = content
    }

    var number: Int32? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
      try disk.ask(.read, name)
      guard offset < content.bytes.count else { return 0 }
      let piece = content.bytes[Int(offset)...].prefix(buffer.count)
      buffer.copyBytes(from: piece)
      disk.bytesRead[name, default: 0] += piece.count
      return piece.count
    }

    func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) -> Int {
      try disk.ask(.write, name)
      var count = bytes.count
      let grows = max(0, Int(offset) + count - content.bytes.count)
      if let room = disk.room, grows > room {
        count -= grows - room
        guard count > 0 else { throw .noSpace }
      }
      let end = Int(offset) + count
      if content.bytes.count < end {
        disk.room? -= end - content.bytes.count
        content.bytes += [UInt8](repeating: 0, count: end - content.bytes.count)
      }
      content.bytes.withUnsafeMutableBytes { target in
        let place = UnsafeMutableRawBufferPointer(rebasing: target[Int(offset)..<end])
        bytes.extracting(0..<count).withUnsafeBytes { place.copyMemory(from: $0) }
      }
      disk.writes.append((name, count))
      return count
    }

    func truncate(to size: Int64) throws(Errno) {
      try disk.ask(.truncate, name)
      content.bytes.removeLast(content.bytes.count - Int(size))
    }

    func birth() -> FileBirth? { content.birth }

    func size() throws(Errno) -> Int64 {
      try disk.ask(.size, name)
      return Int64(content.bytes.count)
    }

    func synchronize() throws(Errno) {
      try disk.ask(.synchronize, name)
      content.safe = content.bytes
      guard disk.files[name] === content else { throw .noSuchFile }
    }
  }
}

extension FileBirth {
  fileprivate static func random() -> FileBirth {
    FileBirth(inode: .random(in: 1...UInt64.max), nanoseconds: .random(in: 1...UInt64.max))
  }
}

extension MemoryDisk {
  /// A file's content as people read it; empty where it is not there.
  package func text(_ name: String) -> String { String(decoding: self[name] ?? [], as: UTF8.self) }
}
