// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// Settings of a program around the bus, which a file of tables and keys describes.
package protocol CompanionSettings {
  /// The defaults.
  init()

  /// All settings that there are, in the order of the shipped file.
  static var all: [Setting<Self>] { get }

  /// Takes one entry over, or says what is wrong with it: what was expected, and what came.
  mutating func apply(_ entry: TomlEntry) -> String?
}

extension CompanionSettings {
  package mutating func apply(_ entry: TomlEntry) -> String? {
    let all = Self.all
    if entry.path.isEmpty, entry.value == .table, all.contains(where: { $0.table == entry.key }) {
      return nil
    }
    let here = all.filter { $0.table == entry.path }
    guard !here.isEmpty, entry.value != .table else {
      return all.contains { $0.table.isEmpty } ? "expected no table" : Self.tables(all.map(\.table))
    }
    guard let setting = here.first(where: { $0.key == entry.key }) else {
      return here.count == 1 ? "expected \(here[0].key)" : "expected one of \(Self.keys(here))"
    }
    return setting.take(entry.value, &self)
  }

  private static func tables(_ names: [String]) -> String {
    let all = names.enumerated().filter { $0.offset == names.firstIndex(of: $0.element) }
      .map { "[\($0.element)]" }
    return all.count == 1
      ? "expected the table \(all[0])" : "expected one of the tables \(all.joined(separator: ", "))"
  }

  private static func keys(_ settings: [Setting<Self>]) -> String {
    settings.map(\.key).joined(separator: ", ")
  }
}

/// The settings of a program, with the file that they come from and the mistakes in it.
///
/// A mistake costs the setting that it is in, and no other.
package struct LoadedCompanionSettings<Settings: CompanionSettings> {
  package var settings = Settings()
  /// The file that was read; nil where there is none.
  package private(set) var file: String?
  package var complaints: [Complaint] = []
  /// What counts as it stands, and should be changed.
  package private(set) var warnings: [Complaint] = []

  /// Reads the file that an option names or else the first of the user's and the machine's.
  package init(
    name: String,
    option: String?,
    environment: (String) -> String? = Environment.value
  ) {
    let candidates =
      option.map { [$0] } ?? CompanionFiles.candidates(name: name, environment: environment)
    for path in candidates {
      do throws(File.Unreadable) {
        let bytes = try File.read(path, limit: TomlText.largest)
        file = path
        parse(bytes, path)
        return
      } catch .refused(.noSuchFile) where option == nil {
        continue
      } catch .refused(.notDirectory) where option == nil {
        continue
      } catch {
        complaints.append(Complaint(path, "\(error)"))
        return
      }
    }
  }

  /// Reads a text.
  package init(text: String, fileName: String) {
    file = fileName
    parse(Array(text.utf8), fileName)
  }

  private mutating func parse(_ bytes: [UInt8], _ path: String) {
    do throws(Complaints) {
      let text = try TomlText(bytes, fileName: path)
      warnings = text.warnings
      for entry in text.entries {
        guard let words = settings.apply(entry) else { continue }
        guard complaints.count < Complaints.most else { break }
        complaints.append(
          Complaint(path, line: entry.line, column: entry.column, "\(entry.fullName): \(words)")
        )
      }
    } catch {
      complaints += error.all
    }
  }
}

/// The usual places of a program's settings.
package enum CompanionFiles {
  /// The user's file and then the machine's.
  package static func candidates(
    name: String,
    environment: (String) -> String? = Environment.value
  ) -> [String] {
    [userFile(name: name, environment: environment), machineFile(name: name)].compactMap { $0 }
  }

  /// The machine's file.
  package static func machineFile(name: String) -> String {
    "\(ConfigHome.ofMachine)/\(name).toml"
  }

  /// The user's file; nil where there is no home.
  package static func userFile(
    name: String,
    environment: (String) -> String? = Environment.value
  ) -> String? {
    ConfigHome.find(in: environment).map { "\($0)/a11yd/\(name).toml" }
  }
}
