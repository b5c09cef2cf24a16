// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
import A11yLog
import A11yPosix
import A11yWire

/// Entries in one file, as a segment, a11yctl simulate or a subscription writes them; other lines
/// are passed over.
final class LogLines {
  /// The directory of the file.
  let disk: any Disk
  /// The entries as one segment; nil where there is none.
  private(set) var segment: LogSegment?
  /// Whether the file is a segment of a log, with a header.
  let isSegment: Bool
  /// The lines that begin as entries, and are not as they were written, in what was read last.
  private(set) var damaged: Int64 = 0
  /// The epochs of the entries, each with its first one, where they are known from elsewhere.
  let epochs: [(first: Seq, epoch: String)]
  private let path: String
  /// A copy of what can be read only once.
  private let copy: FileDescriptor?

  /// The most bytes that are copied.
  private static let mostCopied: Int64 = 4 << 30
  private static let room = 262_144

  /// Opens a file, or standard input where the path is `-`; nil for a directory, and for a path
  /// that leads nowhere.
  static func found(at path: String) throws(Failure) -> LogLines? {
    guard path != "-" else { return try LogLines(copying: path) }
    guard let resolved = File.resolved(path) else {
      // Pipes of a shell have no path that could be resolved.
      return path.hasPrefix("/dev/fd/") ? try LogLines(copying: path) : nil
    }
    if let kind = try? File.measure(resolved), kind.isRegular {
      return try LogLines(resolved, copy: nil)
    }
    if (try? KernelDisk(resolved)) != nil { return nil }
    return try LogLines(copying: path)
  }

  private convenience init(copying path: String) throws(Failure) {
    let copy = try Self.copy(of: path)
    try self.init(kept: copy)
  }

  /// The entries in a file that has no name.
  convenience init(
    kept file: consuming FileDescriptor,
    epochs: [(first: Seq, epoch: String)] = []
  ) throws(Failure) {
    try self.init("/proc/self/fd/\(file.number)", copy: file, epochs: epochs)
  }

  /// Copies everything to a file without a name, which can be read again and again.
  private static func copy(of path: String) throws(Failure) -> FileDescriptor {
    let place = try ScratchPlace("a11yctl-log")
    defer { place.remove() }
    do throws(Errno) {
      let source =
        path == "-" ? FileDescriptor(adopting: 0) : try FileDescriptor.open(path, .readOnly)
      let copy = try FileDescriptor.open(place("copy"), [.readWrite, .create, .exclusive])
      var buffer = ByteBuffer(capacity: room)
      var count: Int64 = 0
      repeat {
        buffer.clear()
        try buffer.append(room: room) { room throws(Errno) in try source.read(into: room) }
        try copy.writeAll(buffer.bytes)
        count += Int64(buffer.count)
      } while !buffer.isEmpty && count < mostCopied
      return copy
    } catch {
      throw Failure(.noInput, VisibleText.of("\(path) cannot be read: \(error)."))
    }
  }

  private init(
    _ path: String,
    copy: consuming FileDescriptor?,
    epochs: [(first: Seq, epoch: String)] = []
  ) throws(Failure) {
    self.path = path
    self.epochs = epochs
    self.copy = copy
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let name = String(path[slash...].dropFirst())
    let folder = path[..<slash].isEmpty ? "/" : String(path[..<slash])
    let header: SegmentHeader?
    do throws(Errno) {
      disk = try KernelDisk(folder)
      header = try? FoundSegments.header(
        of: disk.open(name),
        with: JSONReader(limit: Limits.answerBytes)
      )
    } catch {
      throw Failure(.noInput, VisibleText.of("\(path) cannot be read: \(error)."))
    }
    isSegment = header != nil
    let size = (try? File.measure(path).size) ?? 0
    var first: Seq?
    try eachEntry(nil) { _ in
    } onEntry: { _, seq in
      first = seq
      return false
    }
    segment = first.map { LogSegment(name: name, first: $0, header: header, size: size) }
  }

  /// Gives every intact entry to `onEntry`, in order, until it returns false, and the gaps that
  /// marks tell of to `onGap`.
  func eachEntry(
    _ progress: Progress?,
    onGap: (Gap) throws(Failure) -> Void = { _ in },
    onEntry: (Span<UInt8>, Seq) throws(Failure) -> Bool
  ) throws(Failure) {
    var lines = try InputLines(path, limit: Limits.answerBytes)
    var last = Seq.none
    damaged = 0
    while true {
      switch try lines.nextStep() {
      case .end: return
      case .tooLong: continue
      case .line: break
      }
      progress?.addBytes(Int64(lines.line.count) + 1)
      // Entries that stand twice, or behind a later one, are passed over as well.
      guard let seq = Seq(of: lines.line), seq > last else {
        if let gap = Gap(mark: lines.line) { try onGap(gap) }
        continue
      }
      guard LineChecksum.verified(lines.line) != nil else {
        damaged += 1
        continue
      }
      last = seq
      guard try onEntry(lines.line, seq) else { return }
    }
  }
}

extension Gap {
  /// The gap of which a mark tells; nil for any other line.
  init?(mark line: Span<UInt8>) {
    guard line.begins(with: "{\"mark\":\"gap\""), let mark = JSONValue(json: line.string),
      let from = mark["from"]?.integer, let to = mark["to"]?.integer, 1...to ~= from,
      let reason = mark["reason"]?.string.flatMap(Mark.GapReason.init)
    else { return nil }
    self.init(from: Seq(from), to: Seq(to), reason: reason)
  }
}
