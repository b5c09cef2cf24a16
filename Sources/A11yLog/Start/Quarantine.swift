// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import A11yWire

/// The folder for evidence of damage.
///
/// Copies of bytes that are no entries, and files with a segment's name that are none. Nothing is
/// read from there, and nothing is thrown away at a start.
package struct Quarantine {
  package static let folder = "quarantine"
  /// Enough to see what a medium does to its data; more damage is only reported.
  private static let files = 256
  /// The bytes that are copied of one stretch of damage at most.
  private static let bytes = 16_777_216

  private let disk: any Disk

  package init(_ disk: any Disk) { self.disk = disk }

  /// Copies a stretch of a segment's file, unless it was copied before.
  package func copy(_ place: Range<Int64>, of file: any DiskFile, named name: String) {
    let target = Self.folder + "/" + name + "@\(place.lowerBound)"
    do throws(Errno) {
      try disk.makeFolder(Self.folder)
      let names = try disk.names(in: Self.folder)
      guard names.count < Self.files, !names.contains(name + "@\(place.lowerBound)") else { return }
      let copy = try disk.create(target)
      var bytes = ByteBuffer(capacity: 0)
      var offset = place.lowerBound
      let end = min(place.upperBound, place.lowerBound + Int64(Self.bytes))
      while offset < end {
        bytes.clear()
        let room = Int(min(end - offset, 262_144))
        try bytes.append(room: room) { target throws(Errno) in
          try file.read(into: target, at: offset)
        }
        if bytes.isEmpty { break }
        try copy.writeAll(bytes.bytes, at: offset - place.lowerBound)
        offset += Int64(bytes.count)
      }
    } catch {
      // The disk's failure is reported elsewhere, and the original stays where it is.
    }
  }

  /// Moves a file here that has a segment's name.
  package func move(_ name: String) throws(Errno) {
    try disk.makeFolder(Self.folder)
    let names = try disk.names(in: Self.folder)
    var target = name
    var number = 1
    while names.contains(target) {
      number += 1
      target = "\(name).\(number)"
    }
    try disk.rename(name, to: Self.folder + "/" + target)
  }
}
