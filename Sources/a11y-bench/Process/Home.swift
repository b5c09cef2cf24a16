// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The directory of one daemon: its socket, its state, its configuration.
///
/// It outlives the process, so that a figure can stop a daemon and start another on the same log.
final class Home {
  let path: String

  /// Makes `name` below `parent`.
  init(_ name: String, below parent: String) throws(Failure) {
    path = parent + "/" + name
    try Files.makeDirectory(path)
    try Files.makeDirectory(state)
    // Four gibibytes: no entry of a run may fall to retention while it is being counted.
    try Files.write("[log]\nretain_bytes = 4294967296\n", to: configuration)
  }

  deinit { Files.remove(path) }

  var socket: String { path + "/bus.sock" }
  var state: String { path + "/state" }
  var configuration: String { path + "/a11yd.toml" }
}
