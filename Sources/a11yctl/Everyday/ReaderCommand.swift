// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Tells which readers are there, and says for one that cannot whether it is running.
struct ReaderCommand: Command {
  static let name = "reader"
  static let summary = "tell which readers are there, or say that yours is on or off"
  static let usage = "[OPTION]... [on | off]"
  static let notes = """
    Without on or off it tells which screen readers are connected, and which one speaks. With on or
    off it says to the bus that the screen reader is running, or is not, for a reader that cannot
    say so by itself. While it is off, urgent announcements wait for it, and others end unheard.
    """

  @Operands private var words: [String]
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    let isRunning = try isRunning()
    let path = try bus(for: isRunning == nil ? .operation(.stats) : .publishing(.voiceOverStatus))
    let (state, stats) = try asking(about: EventType.voiceOverStatus.rawValue) {
      () throws(ClientError) in
      let bus = try BusConnection(path: path)
      if let isRunning { try bus.publish(.voiceOverStatus(running: isRunning)) }
      return (try bus.request("state"), try bus.request("stats"))
    }
    output.lines(ReaderWords.sentences(ConnectedReaders(state, stats)))
  }

  /// The word for the bus; nil to tell how it is.
  private func isRunning() throws(Failure) -> Bool? {
    switch words {
    case []: return nil
    case ["on"]: return true
    case ["off"]: return false
    default:
      let word = words.joined(separator: " ")
      let near = NearbyNames.question(NearbyNames.to(word, among: ["on", "off"]))
      throw Failure(.usage, "reader expects on or off; got \(word)\(near)")
    }
  }
}

/// The screen readers that are connected to the bus.
struct ConnectedReaders {
  struct Reader: Equatable {
    let app: String
    let conn: Int64
    /// The highest rank speaks; 0 only shows.
    let rank: Int64
  }

  let all: [Reader]
  /// The reader that speaks.
  let owner: Reader?
  /// Whether a screen reader counts as running.
  let isRunning: Bool

  /// The readers in the bus's answers to `state` and `stats`.
  init(_ state: JSONValue, _ stats: JSONValue) {
    all = (stats["subscribers"]?.list ?? []).compactMap { row in
      guard let rank = row["speech"]?.integer, let conn = row["conn"]?.integer else { return nil }
      return Reader(app: row["app"]?.string ?? "without a name", conn: conn, rank: rank)
    }
    let conn = state["reader"]?["conn"]?.integer
    owner = all.first { $0.conn == conn }
    isRunning = state["reader"]?["running"]?.flag ?? false
  }
}

/// The screen readers of the bus, a sentence a line.
enum ReaderWords {
  static func sentences(_ readers: ConnectedReaders) -> [String] {
    let others = readers.all.filter { $0 != readers.owner }
    var lines = [status(readers)]
    if let owner = readers.owner { lines.append("\(owner.app) is the one that speaks.") }
    lines += others.map { reader in
      reader.rank == 0
        ? "\(reader.app) is there, too, to show what is said, and never speaks."
        : "\(reader.app) is there, too, and would speak if the other left."
    }
    return lines.map(VisibleText.of)
  }

  private static func status(_ readers: ConnectedReaders) -> String {
    switch (readers.isRunning, readers.owner) {
    case (true, .some): "The screen reader is on."
    case (true, nil): "The screen reader counts as on, but none that speaks is connected."
    case (false, .some): "The screen reader counts as off: only urgent announcements are kept."
    case (false, nil): "No screen reader that speaks is connected."
    }
  }
}
