// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
internal import A11yModel
package import A11yWire

/// A connection as the bus knows it: its origin, its rights, and what it has asked for so far.
package final class Session {
  package let conn: Int64
  package let uid: UInt32
  package let role: Role
  /// The app that the connection speaks for.
  private(set) var sender: Sender

  /// A request was answered, so that it is too late for a hello.
  var hasSpoken = false
  /// The log has the entry that this client is there.
  var hasJoined = false
  /// The client has introduced itself as a reader, on a socket for readers.
  package var isReader = false
  /// Deliveries reach the reader, and the log has the entry that it listens.
  var isListening = false
  /// The rank of a reader's voice, and whether it reports every end of speech.
  var voice = Voice()
  /// The client wants advice on the style of its events.
  var wantsAdvice = false
  /// The client's pauses; followed only for advice.
  var pauses = PauseWatch()
  /// The lines in a row that were no JSON.
  var badLines = 0
  /// The unknown fields that were named already.
  var warned: Set<String> = []
  package var subscription: Subscription?
  /// The request that takes longer than a turn; until it is answered, later lines wait.
  package var errand: Errand?
  /// Why the daemon ends the connection.
  package var farewell: Refusal? {
    get { farewells.first }
    set { farewells = newValue.map { [$0] } ?? [] }
  }
  /// An array takes little room where it is empty, as it is for nearly all connections.
  private var farewells: [Refusal] = []

  /// Asked before each line: to compare the refusal would be to copy it.
  package var isDismissed: Bool { if case .some = farewell { true } else { false } }

  init(conn: Int64, uid: UInt32, role: Role, tally: AppTally) {
    self.conn = conn
    self.uid = uid
    self.role = role
    sender = Sender(tally, uid: uid, conn: conn)
  }

  var tally: AppTally { sender.tally }

  package var app: String { tally.app }

  /// The app whose entries alone the client may see, on the socket for applications.
  var confinement: AppKey? { role == .publish ? sender.key : nil }

  /// Gives the connection the name that it has asked for.
  func rename(_ tally: AppTally) {
    sender = Sender(tally, uid: uid, conn: conn)
  }

  /// The rank of a reader that gets deliveries; nil for any other client.
  package var listeningRank: Int64? { isListening ? voice.rank : nil }

  /// The client's rights, in the words of `hello`.
  var roles: [String] { isReader ? [role.rawValue, "reader"] : [role.rawValue] }
}

/// A reader's voice, as its hello states it.
struct Voice {
  /// The reader with the highest rank owns speech; one with 0 never does.
  var rank: Int64 = 50
  /// The reader reports every end of speech, so that nothing has to be estimated.
  var isReported = false
}

/// The app that a connection speaks for; immutable, for another name makes another sender.
final class Sender {
  let tally: AppTally
  /// The app and the user.
  let key: AppKey
  /// `,"app":…,"uid":…,"conn":…` as it stands in every entry of this connection.
  let origin: ByteBuffer

  init(_ tally: AppTally, uid: UInt32, conn: Int64) {
    self.tally = tally
    key = AppKey(uid: uid, app: Name(tally.app))
    origin = EntryWriter.origin(app: tally.app, uid: uid, conn: conn)
  }
}
