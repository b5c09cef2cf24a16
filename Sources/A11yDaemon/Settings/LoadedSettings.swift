// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yToml

/// The settings of all files that there are, with the mistakes found in them.
///
/// A mistake costs the setting that it is in, and no other: that setting keeps its default.
/// A start goes on with that, a reload refuses the whole, and `--check-config` ends with 78.
package struct LoadedSettings: Sendable {
  package private(set) var settings: Settings
  /// Those that were there and could be read.
  package private(set) var files: [String] = []
  package private(set) var complaints: [Complaint] = []
  /// What counts as it stands, and should be changed.
  package private(set) var warnings: [Complaint] = []
  /// The place at which each key was set, by its name with its table, such as "server.state".
  private var places: [String: (file: String, entry: TomlEntry)] = [:]

  /// Mistakes of grammar that are looked for in one file, each of which costs its line.
  private static let mostBadLines = 32

  /// Reads all files that there are, the later over the earlier.
  package init(option: String?, places: Places) {
    settings = option == nil ? Settings() : Settings.withoutRules
    for file in SettingsFile.candidates(option: option, places: places) {
      do throws(Complaints) {
        guard let bytes = try file.bytes() else { continue }
        files.append(file.path)
        readText(bytes, fileName: file.path)
      } catch {
        complaints += error.all
      }
    }
  }

  /// Lays what one text sets over these settings.
  package init(text: [UInt8], fileName: String, over base: Settings) {
    settings = base
    readText(text, fileName: fileName)
  }

  /// A complaint about a key that reads well and cannot be used, at the place where it was set.
  package func complaint(about key: String, _ words: String) -> Complaint {
    guard let place = places[key] else { return Complaint("a11yd.toml", "\(key): \(words)") }
    let (line, column) = (place.entry.line, place.entry.column)
    return Complaint(place.file, line: line, column: column, "\(key): \(words)")
  }

  /// Reads a text; a line that is no TOML is left out, and the rest of the file counts.
  private mutating func readText(_ text: [UInt8], fileName: String) {
    var text = text
    // All readings together take little longer than that of the largest file.
    var left = TomlText.largest
    for _ in 0..<Self.mostBadLines {
      left -= text.count
      do throws(Complaints) {
        let toml = try TomlText(text, fileName: fileName)
        warnings += toml.warnings
        readEntries(toml.entries, fileName)
        return
      } catch {
        complaints += error.all
        guard !error.isTooLarge, text.count <= left,
          let line = error.all.first?.line, Self.empty(line, in: &text)
        else { return }
      }
    }
  }

  private mutating func readEntries(_ entries: [TomlEntry], _ fileName: String) {
    var reading = SettingsReading(settings: settings)
    for entry in entries {
      if let words = reading.take(entry) {
        guard complaints.count < Complaints.most else { break }
        let (line, column) = (entry.line, entry.column)
        complaints.append(Complaint(fileName, line: line, column: column, words))
      } else {
        places[entry.fullName] = (fileName, entry)
      }
    }
    settings = reading.settings
  }

  /// Empties a line; false where it is empty, so that reading again would meet the same.
  private static func empty(_ number: Int, in text: inout [UInt8]) -> Bool {
    var start = 0
    for _ in 1..<max(1, number) {
      guard let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) else { return false }
      start = end + 1
    }
    let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    guard start < end else { return false }
    text.removeSubrange(start..<end)
    return true
  }
}

/// A file that settings may stand in.
package struct SettingsFile: Equatable, Sendable {
  package let path: String
  /// Whether it is an error that there is none.
  package let isRequired: Bool

  package init(path: String, isRequired: Bool) {
    self.path = path
    self.isRequired = isRequired
  }

  /// The files to look for, in order: that of `--config` alone, else the machine's, then the
  /// user's.
  package static func candidates(option: String?, places: Places) -> [SettingsFile] {
    if let option { return [SettingsFile(path: option, isRequired: true)] }
    let machine = SettingsFile(path: "\(ConfigHome.ofMachine)/a11yd.toml", isRequired: false)
    let user = places.configHome.map {
      SettingsFile(path: $0 + "/a11yd/a11yd.toml", isRequired: false)
    }
    return [machine] + (user.map { [$0] } ?? [])
  }

  /// The content of the file; nil where it need not be there and is not.
  package func bytes() throws(Complaints) -> [UInt8]? {
    do throws(File.Unreadable) {
      return try File.read(path, limit: TomlText.largest)
    } catch .refused(.noSuchFile) where !isRequired, .refused(.notDirectory) where !isRequired {
      return nil
    } catch {
      throw Complaints(Complaint(path, "\(error)"))
    }
  }
}
