// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The lines that every server is given, in this program's memory and as files for the loads in C.
struct PublishedLines {
  /// The lines of a file.
  struct Kind {
    let announcements: Announcements
    let path: String

    fileprivate init(_ announcements: Announcements, at path: String) throws(BenchFailure) {
      self.announcements = announcements
      self.path = path
      try Files.create(bytes: announcements.allBytes, to: path)
    }
  }

  let plain: Kind
  /// Lines of which each second one passes a filter.
  let mixed: Kind

  init(in directory: String) throws(BenchFailure) {
    plain = try Kind(Announcements(), at: directory + "/lines")
    mixed = try Kind(Announcements(priority: .byTurns), at: directory + "/mixed-lines")
  }
}
