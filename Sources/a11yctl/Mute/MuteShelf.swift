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
