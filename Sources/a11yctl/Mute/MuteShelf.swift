// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The user's mutes, as files among the user's rules.
struct MuteShelf {
  let directory: String

  init(directory: String) { self.directory = directory }

  /// The shelf of a user with this environment.
  init(in environment: (String) -> String?) throws(Failure) {
    guard let home = ConfigHome.find(in: environment) else {
      throw Failure(.usage, "There is no home for the rules; XDG_CONFIG_HOME can name one.")
    }
    directory = "\(home)/a11yd/rules.d"
  }

  /// All mutes, by the names of their apps.
  func all() throws(Failure) -> [Mute] {
    let names: [String]
    do throws(Errno) {
      names = try Directory.names(directory)
    } catch .noSuchFile {
      return []
    } catch {
      throw Failure(.inputOutput, "\(directory) cannot be read: \(error).")
    }
    return names.filter(Mute.isFileName).compactMap { Mute(file: "\(directory)/\($0)") }
      .sorted { $0.app < $1.app }
  }

  /// Puts a mute in its place; one for the same app goes.
  func put(_ mute: Mute) throws(Failure) {
    do throws(Errno) {
      try Directory.create(directory, mode: 0o700)
      try PrivateFile.replace(path(of: mute), with: mute.text)
    } catch {
      throw Failure(.inputOutput, "\(path(of: mute)) cannot be written: \(error).")
    }
  }

  func remove(_ mute: Mute) throws(Failure) {
    do throws(Errno) {
      try File.unlink(path(of: mute))
    } catch .noSuchFile {
      // Somebody else was faster.
    } catch {
      throw Failure(.inputOutput, "\(path(of: mute)) cannot be removed: \(error).")
    }
  }

  func path(of mute: Mute) -> String { "\(directory)/\(mute.fileName)" }
}

/// The directory of the user's configuration.
enum ConfigHome {
  /// `$XDG_CONFIG_HOME`, else `~/.config`, as the daemon has it; nil without a home.
  static func find(in environment: (String) -> String?) -> String? {
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }
  }
}

/// A small file of which no one else may know.
enum PrivateFile {
  /// Writes the whole file, in the place of an earlier one in one step.
  static func replace(_ path: String, with text: String) throws(Errno) {
    // The name begins with a dot, as those do that readers of rules leave alone.
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    let draft = "\(directory)/.a11yctl-\(Machine.processID)"
    let bytes = Array(text.utf8)
    do throws(Errno) {
      let file = try FileDescriptor.open(
        draft,
        [.writeOnly, .create, .truncate, .noFollow],
        mode: 0o600
      )
      try file.writeAll(bytes.span)
      try file.synchronize()
      try File.rename(draft, to: path)
      try Directory.synchronize(directory)
    } catch {
      try? File.unlink(draft)
      throw error
    }
  }
}
