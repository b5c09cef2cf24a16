// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech
import A11yToml

/// The file in which a person's settings of the voice stand.
struct VoiceFile {
  private static let name = "speech"
  private static let largest = 1_024 * 1_024

  let path: String

  /// The user's own file.
  init() throws(Failure) {
    guard let path = CompanionFiles.userFile(name: Self.name) else {
      throw Failure(.configuration, "There is no home directory for the settings of the voice.")
    }
    self.path = path
  }

  /// The settings in force, with the file that they come from.
  static func loaded() -> LoadedCompanionSettings<VoiceSettings> {
    LoadedCompanionSettings(name: name, option: nil)
  }

  /// Sets a key in a table, or takes it out; all other lines of the file stay as they are.
  func set(_ key: String, to value: String?, in table: String) throws(Failure) {
    var edit = TomlEdit(try text())
    edit.set(key, to: value, in: table)
    let check = LoadedCompanionSettings<VoiceSettings>(text: edit.text, fileName: path)
    if let complaint = check.complaints.first {
      throw Failure(.configuration, "Nothing was changed: \(complaint).")
    }
    try write(edit.text)
  }

  private func text() throws(Failure) -> String {
    do throws(File.Unreadable) {
      return String(decoding: try File.read(path, limit: Self.largest), as: UTF8.self)
    } catch .refused(.noSuchFile) {
      return ""
    } catch {
      throw Failure(.configuration, "\(path) \(error).")
    }
  }

  private func write(_ text: String) throws(Failure) {
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let fresh = path + ".new"
    do throws(Errno) {
      try Directory.create(directory, mode: 0o700)
      let file = try FileDescriptor.open(fresh, [.writeOnly, .create, .truncate, .noFollow])
      try file.writeAll(Array(text.utf8).span)
      try file.synchronize()
      try File.rename(fresh, to: path)
    } catch {
      throw Failure(.inputOutput, "\(path) cannot be written: \(error).")
    }
  }
}
