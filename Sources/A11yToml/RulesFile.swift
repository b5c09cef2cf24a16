// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yRules

/// A file of rules.
package struct RulesFile: Equatable, Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// The rules in it, or everything that is wrong with it.
  package func read() throws(Complaints) -> [Rule] {
    let bytes: [UInt8]
    do throws(File.Unreadable) {
      bytes = try File.read(path, limit: TomlText.largest)
    } catch {
      throw Complaints(Complaint(path, "\(error)"))
    }
    return try Rule.read(text: bytes, fileName: path)
  }
}

/// The rules of all files that there are, with the mistakes found in them.
///
/// A bad file never silences anything: its rules are left out as a whole, the other files count,
/// and whoever reads decides whether that is good enough.
package struct LoadedRules: Sendable {
  /// The shipped rules, and over them those of the files, in order.
  package private(set) var rules = RuleSet.defaults
  /// Those that were good.
  package private(set) var files: [RulesFile] = []
  package private(set) var complaints: [Complaint] = []

  /// How many files are read; whoever has more has named the wrong directory.
  package static let most = 256

  /// How many names a directory of rules may have, files of other kinds included: it is looked
  /// through between two turns.
  private static let mostNames = 4_096

  /// Reads `*.toml` of the directories, in their order and in each by name.
  ///
  /// A directory need not be there. Names that begin with a dot are left to editors.
  package init(directories: [String]) {
    var files: [RulesFile] = []
    var complaints: [Complaint] = []
    for directory in directories {
      do throws(Errno) {
        guard let names = try Directory.names(directory, atMost: Self.mostNames) else {
          complaints.append(
            Complaint(directory, "expected at most \(Self.mostNames) files; there are more")
          )
          continue
        }
        files += names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
          .map { RulesFile(path: "\(directory)/\($0)") }
      } catch .noSuchFile, .notDirectory {
        continue
      } catch {
        complaints.append(Complaint(directory, "cannot be read: \(error)"))
      }
    }
    self.init(files, complaints: complaints)
  }

  /// Reads these files, in their order.
  package init(_ files: [RulesFile]) { self.init(files, complaints: []) }

  private init(_ files: [RulesFile], complaints: [Complaint]) {
    self.complaints = complaints
    var all = RuleSet.defaults.rules
    for file in files.prefix(Self.most) {
      do throws(Complaints) {
        all = try Self.lay(file.read(), of: file, over: all)
        self.files.append(file)
      } catch {
        self.complaints += error.all
      }
    }
    if let file = files.dropFirst(Self.most).first {
      let more = files.count - Self.most
      self.complaints.append(
        Complaint(
          file.path,
          "expected at most \(Self.most) files of rules; with this one begin \(more) more,"
            + " which are left out"
        )
      )
    }
    rules = RuleSet(all)
  }

  private static func lay(
    _ more: [Rule],
    of file: RulesFile,
    over rules: [Rule]
  ) throws(Complaints) -> [Rule] {
    let all = rules + more
    guard all.count <= RuleSet.most else {
      throw Complaints(
        Complaint(
          file.path,
          "expected at most \(RuleSet.most) rules in all; with this file they are \(all.count)"
        )
      )
    }
    guard RuleSet.fits(all) else {
      throw Complaints(
        Complaint(
          file.path,
          "expected rules that fit into one entry of the log; with this file"
            + " they are too long"
        )
      )
    }
    return all
  }
}
