// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A client that is connected, as the log says.
struct KnownClient: Equatable, Sendable {
  let app: AppKey
  let isReader: Bool
}

/// The screen readers, as far as entries tell of them.
struct Reader: Equatable, Sendable {
  /// The last `voiceover-status`.
  struct Status: Equatable, Sendable {
    var isRunning: Bool
    var name: String?
    /// The connection that published it.
    var conn: Int64
  }

  var status: Status?
  /// A reader that listens to what is delivered.
  struct Listener: Equatable, Sendable {
    let conn: Int64
    /// The listener of the highest rank owns speech; one of rank 0 never does.
    let rank: Int64
    let uid: UInt32

    /// The rank of a listener that does not state one.
    static var usual: Int64 { 50 }
  }

  /// The readers that listen, the oldest first.
  private(set) var listeners: [Listener] = []
  /// The readers of people who are away mirror, whatever their rank.
  var seat = Seat.everybody

  /// The reader that speaks: the one of the highest rank, the oldest among equals.
  var owner: Int64? {
    var best: Listener?
    for listener in listeners where listener.rank > (best?.rank ?? 0) {
      if !seat.isAway(listener.uid) { best = listener }
    }
    return best?.conn
  }

  func rank(of conn: Int64) -> Int64? { listeners.first { $0.conn == conn }?.rank }

  /// Whether a reader runs; one that listens and does not say counts as running.
  var isRunning: Bool { status?.isRunning ?? (owner != nil) }

  mutating func addListener(_ conn: Int64, rank: Int64, of uid: UInt32) {
    guard self.rank(of: conn) == nil else { return }
    restoreListener(conn, rank: rank, of: uid)
    if owner == conn, status?.isRunning == false { status = nil }
  }

  /// Adds a listener of which everything is known, its status included.
  mutating func restoreListener(_ conn: Int64, rank: Int64, of uid: UInt32) {
    listeners.append(Listener(conn: conn, rank: rank, uid: uid))
  }

  /// Removes a listener with its own status; the last one takes every status with it.
  mutating func removeListener(_ conn: Int64) {
    listeners.removeAll { $0.conn == conn }
    if owner == nil || status?.conn == conn { status = nil }
  }
}

/// The place of the focus, by the last entry about it.
struct Focus: Equatable, Sendable {
  let seq: Seq
  let place: WindowPlace
  let element: Name

  var spot: Model.Spot { Model.Spot(app: place.app, window: place.window, element: element) }
}
