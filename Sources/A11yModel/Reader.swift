// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A client that the log says is there.
struct Client: Equatable, Sendable {
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
  /// The readers that listen to what is delivered, the oldest first.
  private(set) var conns: [Int64] = []

  /// A reader that says nothing counts as running.
  var isRunning: Bool { status?.isRunning ?? !conns.isEmpty }

  mutating func listen(_ conn: Int64) {
    guard !conns.contains(conn) else { return }
    conns.append(conn)
    if status?.isRunning == false { status = nil }
  }

  /// Lets a reader be there of which all that was said is known.
  mutating func restore(_ conn: Int64) { conns.append(conn) }

  /// What a reader has said of itself goes with it, and with the last one all that was said.
  mutating func leave(_ conn: Int64) {
    conns.removeAll { $0 == conn }
    if conns.isEmpty || status?.conn == conn { status = nil }
  }
}

/// Where the focus is, as the last entry about it says.
struct Focus: Equatable, Sendable {
  let seq: Seq
  let place: WindowPlace
  let element: Name

  var spot: Model.Spot { Model.Spot(app: place.app, window: place.window, element: element) }
}
