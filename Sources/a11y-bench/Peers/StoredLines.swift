// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The lines that a server of others keeps for those who come later.
enum StoredLines {
  static func store(
    _ count: Int,
    to server: Server,
    _ lines: PublishedLines.Kind
  ) throws(BenchFailure) {
    let options = ["--events", "\(count)", "--window", "1000"]
    let load = try PeerLoad(.fill, over: server, options, lines: lines.path)
    _ = try load.measure()
    try load.release()
  }

  /// Entries per second and processor time for each, in µs, of one who reads all of them.
  static func replay(
    _ count: Int,
    from server: Server,
    _ lines: PublishedLines.Kind
  ) throws(BenchFailure) -> [Double?] {
    let load = try PeerLoad(.replay, over: server, ["--events", "\(count)"], lines: lines.path)
    let processorBefore = try server.processorNanoseconds()
    let figures = try load.measure()
    let processor = try server.processorNanoseconds() - processorBefore
    try load.release()
    let entries = Double(figures.first)
    return [entries * 1e9 / Double(figures.nanoseconds), Double(processor) / 1e3 / entries]
  }

  static func tally(in server: Server, _ lines: PublishedLines.Kind) throws(BenchFailure) -> Int {
    let load = try PeerLoad(.count, over: server, [], lines: lines.path)
    let figures = try load.measure()
    try load.release()
    return figures.first
  }
}
