// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
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
  static let options: [Flag] = []

  private let path: String
  /// The word for the bus; nil to tell how it is.
  private let isRunning: Bool?

  init(_ words: CommandWords) throws(Failure) {
    switch words.operands {
    case []: isRunning = nil
    case ["on"]: isRunning = true
    case ["off"]: isRunning = false
    case let others:
      let word = others.joined(separator: " ")
      let near = NearbyNames.question(NearbyNames.to(word, among: ["on", "off"]))
      throw Failure(.usage, "reader expects on or off; got \(word)\(near)")
    }
    let need: Need =
      isRunning == nil ? .operation(.stats) : .publishing(.voiceOverStatus)
    path = try words.socket(for: need).path
  }

  func run(_ output: Output) throws(Failure) {
    let (state, stats) = try asking(about: EventType.voiceOverStatus.rawValue) {
      () throws(ClientError) in
      let bus = try BusConnection(path: path)
      if let isRunning { try bus.publish(.voiceOverStatus(running: isRunning)) }
      return (try bus.request("state"), try bus.request("stats"))
    }
    for line in ReaderWords.sentences(ConnectedReaders(state, stats)) { output.line(line) }
  }
}
