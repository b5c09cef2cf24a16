// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yToml

/// A file of a person's own settings, of which a command changes one line.
struct SettingsText {
  let path: String
  /// The file that counts as long as the user has none, if the user's stands in its place.
  private let base: String?

  /// The user's file of this name; `replaces` says whether it stands in the place of the machine's
  /// file, and not over it.
  init(name: String, replaces: Bool) throws(Failure) {
    guard let path = CompanionFiles.userFile(name: name) else {
      throw Failure(.configuration, "There is no home directory for \(name).toml.")
    }
    // A link leads to the file that its owner keeps elsewhere.
    self.path = File.resolved(path) ?? path
    base = replaces ? CompanionFiles.machineFile(name: name) : nil
  }

  /// Sets a key in a table, or takes it out; all other lines of the file stay as they are.
  ///
  /// Nothing is changed where the new text has a mistake that the old one does not have.
  func set(
    _ key: String,
    to value: String?,
    in table: String,
    complaints: (_ text: String, _ path: String) -> [Complaint] = { _, _ in [] }
  ) throws(Failure) {
    let old = try content()
    var edit = TomlEdit(old)
    edit.set(key, to: value, in: table)
    let known = Set(complaints(old, path).map(\.words))
    if let complaint = complaints(edit.text, path).first(where: { !known.contains($0.words) }) {
      let isGrammar = complaint.words.hasPrefix("this is not TOML")
      // The rest is as it was, so the mistake is in the value.
      throw Failure(
        isGrammar ? .configuration : .usage,
        isGrammar
          ? "Nothing was changed: \(path) is written in a way that this command cannot edit."
            + " By hand: \(key) = \(value ?? "…") in the table [\(table)]."
          : "Nothing was changed: \(complaint.words)."
      )
    }
    try save(edit.text)
  }

  private func content() throws(Failure) -> String {
    do throws(File.Unreadable) {
      return String(decoding: try File.read(path, limit: TomlText.largest), as: UTF8.self)
    } catch .refused(.noSuchFile) {
      guard let base, let bytes = try? File.read(base, limit: TomlText.largest) else { return "" }
      return String(decoding: bytes, as: UTF8.self)
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
