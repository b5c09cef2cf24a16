// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The directory of one daemon: its socket, its state, its configuration.
///
/// A home outlives the process, so that a figure can stop a daemon and start another on the same
/// log.
final class Home {
  let path: String
  let state: String

  /// Makes `name` below `parent`, and the state's directory in it or where `state` says.
  ///
  /// `settings` are further tables of the daemon's configuration.
  init(
    _ name: String,
    below parent: String,
    state: String? = nil,
    settings: String = ""
  ) throws(BenchFailure) {
    path = parent + "/" + name
    self.state = state ?? path + "/state"
    try Files.makeDirectory(path)
    try Files.makeDirectory(self.state)
    // Retention would remove entries that are still to be counted.
    try Files.create("[log]\nretain_bytes = 0\n" + settings, to: configuration)
  }

  deinit { Files.remove(path) }

  var socket: String { path + "/bus.sock" }
  var configuration: String { path + "/a11yd.toml" }
}
