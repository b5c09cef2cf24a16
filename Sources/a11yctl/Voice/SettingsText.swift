// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yToml

/// A file of a person's own settings, of which a command changes one line.
struct SettingsText {
  private static let largest = 1_024 * 1_024

  let path: String

  /// The user's file of this name.
  init(name: String) throws(Failure) {
    guard let path = CompanionFiles.userFile(name: name) else {
      throw Failure(.configuration, "There is no home directory for \(name).toml.")
    }
    self.path = path
  }

  /// Sets a key in a table, or takes it out; all other lines of the file stay as they are.
  ///
  /// Nothing is changed where `complaint` finds something in the new text.
  func set(
    _ key: String,
    to value: String?,
    in table: String,
    complaint: (_ text: String, _ path: String) -> Complaint? = { _, _ in nil }
  ) throws(Failure) {
    var edit = TomlEdit(try content())
    edit.set(key, to: value, in: table)
    if let complaint = complaint(edit.text, path) {
      throw Failure(.configuration, "Nothing was changed: \(complaint).")
    }
    try save(edit.text)
  }

  private func content() throws(Failure) -> String {
    do throws(File.Unreadable) {
      return String(decoding: try File.read(path, limit: Self.largest), as: UTF8.self)
    } catch .refused(.noSuchFile) {
      return ""
    } catch {
      throw Failure(.configuration, "\(path) \(error).")
    }
  }

  private func save(_ text: String) throws(Failure) {
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    do throws(Errno) {
      try Directory.create(directory, mode: 0o700)
      try PrivateFile.replace(path, with: text)
    } catch {
      throw Failure(.inputOutput, "\(path) cannot be written: \(error).")
    }
  }
}
