// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file that settings may stand in.
package struct SettingsFile: Equatable, Sendable {
  package let path: String
  /// Whether it is an error that there is none.
  package let isRequired: Bool

  package init(path: String, isRequired: Bool) {
    self.path = path
    self.isRequired = isRequired
  }

  /// Far more than anybody writes by hand; a device or a wrong file is not read for ever.
  static let largest = ByteCount.mebibytes(1)

  /// Where to look, in order: the file of `--config` alone, else the machine's, then the user's.
  package static func candidates(option: String?, places: Places) -> [SettingsFile] {
    if let option { return [SettingsFile(path: option, isRequired: true)] }
    let machine = SettingsFile(path: "/etc/a11yd/a11yd.toml", isRequired: false)
    let user = places.configHome.map {
      SettingsFile(path: $0 + "/a11yd/a11yd.toml", isRequired: false)
    }
    return [machine] + (user.map { [$0] } ?? [])
  }

  /// What is in the file; nil where it need not be there and is not.
  package func bytes() throws(Complaints) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, !isRequired, errno == ENOENT || errno == ENOTDIR { return nil }
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }

    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count == 0 { return all }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw unreadable(errno) }
      all += piece[..<count]
      guard all.count <= Self.largest.bytes else {
        throw Complaints(Complaint(path, "expected at most \(Self.largest); this is larger"))
      }
    }
  }

  private func unreadable(_ number: Int32) -> Complaints {
    Complaints(Complaint(path, "cannot be read: " + String(cString: strerror(number))))
  }
}

extension Settings {
  /// Reads all files that there are, the later over the earlier, and names those that were read.
  ///
  /// A file with mistakes does not keep the next from being checked, so that all of them are told.
  package static func load(
    option: String?,
    places: Places
  ) throws(Complaints) -> (settings: Settings, files: [String]) {
    var settings = option == nil ? Settings() : Settings.withoutRules
    var files: [String] = []
    var complaints: [Complaint] = []
    for file in SettingsFile.candidates(option: option, places: places) {
      do {
        guard let bytes = try file.bytes() else { continue }
        settings = try read(text: bytes, fileName: file.path, over: settings)
        files.append(file.path)
      } catch {
        complaints += error.all
      }
    }
    guard complaints.isEmpty else { throw Complaints(complaints) }
    return (settings, files)
  }
}
