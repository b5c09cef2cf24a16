// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A client that the log says is there.
struct KnownClient: Equatable, Sendable {
  let app: AppKey
  let isReader: Bool
}

/// The screen reader, as far as entries tell of it.
struct Reader: Equatable, Sendable {
  /// What was said last of whether it runs.
  struct Status: Equatable, Sendable {
    var isRunning: Bool
    var name: String?
    /// Who said so.
    var conn: Int64
  }

  var status: Status?
  /// A reader that listens to what is delivered.
  struct Listener: Equatable, Sendable {
    let conn: Int64
    /// The highest owns speech; 0 never does.
    let rank: Int64

    /// The rank of one that does not say how much its voice counts.
    static var usual: Int64 { 50 }
  }

  /// The readers that listen, the oldest first.
  private(set) var listeners: [Listener] = []

  /// The reader that speaks: the one of the highest rank, the oldest among equals.
  var owner: Int64? {
    var best: Listener?
    for listener in listeners where listener.rank > (best?.rank ?? 0) { best = listener }
    return best?.conn
  }

  func rank(of conn: Int64) -> Int64? { listeners.first { $0.conn == conn }?.rank }

  /// A reader that says nothing counts as running.
  var isRunning: Bool { status?.isRunning ?? (owner != nil) }

  mutating func addListener(_ conn: Int64, rank: Int64) {
    guard self.rank(of: conn) == nil else { return }
    restoreListener(conn, rank: rank)
    if owner == conn, status?.isRunning == false { status = nil }
  }

  /// Lets a reader be there of which all that was said is known.
  mutating func restoreListener(_ conn: Int64, rank: Int64) {
    listeners.append(Listener(conn: conn, rank: rank))
  }

  /// What a reader has said of itself goes with it, and with the last one all that was said.
  mutating func removeListener(_ conn: Int64) {
    listeners.removeAll { $0.conn == conn }
    if owner == nil || status?.conn == conn { status = nil }
  }
}

/// Where the focus is, as the last entry about it says.
struct Focus: Equatable, Sendable {
  let seq: Seq
  let place: WindowPlace
  let element: Name

  var spot: Model.Spot { Model.Spot(app: place.app, window: place.window, element: element) }
}
