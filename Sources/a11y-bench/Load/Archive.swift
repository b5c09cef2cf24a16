// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Fills a daemon's log.
enum Archive {
  /// Publishes until the log has at least `entries` and returns how many it has.
  ///
  /// The daemon writes entries of its own between the published ones, so the number of events is
  /// not known beforehand.
  static func fill(_ server: Server, with entries: Int) throws(BenchFailure) -> Int {
    let socket = server.home.socket
    let traffic = try Traffic(at: socket, lines: Announcements(), subscribers: 0)
    var last = try server.last()
    while last < entries {
      try traffic.publishAll(min(entries - last, max(entries / 20, 1)))
      last = try server.last()
    }
    return last
  }
}
