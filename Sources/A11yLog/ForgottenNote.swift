// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// Entries that were forgotten while no bus ran, on record beside the log until a bus tells of them
/// in an entry, so that every copy of the log can follow.
package enum ForgottenNote {
  /// A run of entries, and the user who had them forgotten.
  package struct Run: Equatable {
    package let seqs: ClosedRange<Seq>
    package let uid: UInt32

    package init(_ seqs: ClosedRange<Seq>, uid: UInt32) {
      self.seqs = seqs
      self.uid = uid
    }
  }

  package static let name = "forgotten"
  private static let interim = "forgotten.unfinished"
  /// The most bytes that are read, which is far more than a person types.
  private static let most = 16_777_216

  /// Reads the runs; lines that are damaged are left out.
  package static func runs(on disk: any Disk) throws(Errno) -> [Run] {
    let file: any DiskFile
    do throws(Errno) { file = try disk.open(name) } catch .noSuchFile { return [] }
    let size = Int(min(try file.size(), Int64(most)))
    var bytes = ByteBuffer(capacity: size)
    _ = try file.read(into: &bytes, at: 0, room: size)
    let json = JSONReader(limit: 1_024)
    var runs: [Run] = []
    var start = 0
    for end in 0..<bytes.count where bytes.bytes[end] == UInt8(ascii: "\n") {
      let line = bytes.bytes.extracting(start..<end)
      start = end + 1
      guard LineChecksum.verified(line) != nil else { continue }
      do throws(JSONFault) { try json.read(line) } catch { continue }
      let run = json.document
      guard let from = run.seq("from", of: run.root), let to = run.seq("to", of: run.root),
        from <= to, let uid = run.integer("uid", of: run.root).flatMap(UInt32.init(exactly:))
      else { continue }
      runs.append(Run(from...to, uid: uid))
    }
    return runs
  }

  /// Writes all runs anew, in one step.
  package static func keep(_ runs: [Run], on disk: any Disk) throws(Errno) {
    var lines = ByteBuffer(capacity: 64 * runs.count)
    for run in runs {
      lines.appendLine { line in
        line.append(member: "from", run.seqs.lowerBound.number)
        line.append(member: "to", run.seqs.upperBound.number)
        line.append(member: "uid", Int64(run.uid))
      }
    }
    try disk.removeIfThere(interim)
    let file = try disk.create(interim)
    try file.writeAll(lines.bytes, at: 0)
    try file.synchronize()
    try disk.rename(interim, to: name)
    try disk.synchronizeNames()
  }

  package static func drop(on disk: any Disk) throws(Errno) {
    if try disk.removeIfThere(name) { try disk.synchronizeNames() }
  }
}
