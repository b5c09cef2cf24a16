// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A client of the door: its connection, its settings, and its messages.
struct Guest {
  /// The number by which events name it.
  let id: Int
  var grammar = SsipClient()
  /// A wish that waits, for an answer of speech-dispatcher or for the bus.
  var waiting: SsipClient.Wish?
  /// Its open messages, in their order.
  var messages: [DoorMessage] = []
  var isPaused = false
  /// Whether its connection is there; the messages of one that has left are still spoken.
  var isHere = true
  /// The name under which it has a connection to the bus.
  var badge: Badge?
  /// The events that the bus has been given and has not recorded yet, each with its moment.
  var offers: [Int64: Int64] = [:]
  /// Its way to speech-dispatcher itself.
  var direct: DirectLine?

  /// The bytes that it has not taken yet.
  var owed = 0

  /// Bytes that a client leaves with us: then no command of it is carried out, and no mark told.
  static let mostOwed = 262_144
  /// Messages of one client that are open; the oldest gives way to one more.
  static let mostMessages = 256

  /// Who a client is on the bus.
  struct Badge: Equatable, Hashable {
    let app: String
    let isReader: Bool
  }

  init(id: Int) { self.id = id }

  /// The badge by its name; one that has told none has a name of ours.
  func badge(by settings: DoorSettings) -> Badge {
    let program = grammar.name?.program.filter { $0 != "\"" } ?? ""
    let app = Self.isName(program) ? program : "ssip"
    return Badge(app: app, isReader: settings.screenReaders.contains(app.lowercased()))
  }

  /// Whether the bus takes it for a name; it has a few for itself.
  private static func isName(_ word: String) -> Bool {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
      default: !scalar.properties.isWhitespace
      }
    }
    return isPlain && (1...128).contains(word.utf8.count) && word.lowercased() != "a11yd"
      && !word.lowercased().hasPrefix("uid:")
  }

  /// Its connection to the bus has ended.
  mutating func loseBadge() { (badge, offers) = (nil, [:]) }

  func index(of message: Int) -> Int? { messages.firstIndex { $0.id == message } }
}
