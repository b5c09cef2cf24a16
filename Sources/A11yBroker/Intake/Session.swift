// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
internal import A11yModel
package import A11yWire

/// What the bus knows of one connection: who it is, what it may do, what it has said so far.
package final class Session {
  package let conn: Int64
  package let uid: UInt32
  package let role: Role
  /// For whom it speaks.
  private(set) var sender: Sender

  /// A request was answered already, so that it is too late for a hello.
  var hasSpoken = false
  /// The log says that this client is here.
  var hasJoined = false
  /// An assistive technology, by its own word on a socket that lets it.
  package var isReader = false
  /// What is delivered reaches it, so that the log says that it reads.
  var isListening = false
  /// Of a reader: how much its voice counts among others, and whether it reports every end of speech.
  var voice = Voice()
  /// It wants to be told what could be better in the style of what it publishes.
  var wantsAdvice = false
  /// It has asked readers to be quiet; followed only for advice.
  var pauses = PauseWatch()
  /// Lines in a row that were no JSON.
  var badLines = 0
  /// Unknown fields that were named already.
  var warned: Set<String> = []
  package var subscription: Subscription?
  /// What only the log can do; as long as it is there, the connection's later lines wait.
  package var errand: Errand?
  /// Set once, when the daemon decides to end the connection.
  package var farewell: Refusal?

  init(conn: Int64, uid: UInt32, role: Role, tally: AppTally) {
    self.conn = conn
    self.uid = uid
    self.role = role
    sender = Sender(tally, uid: uid, conn: conn)
  }

  var tally: AppTally { sender.tally }

  package var app: String { tally.app }

  /// The app that it is confined to: on the socket for applications each sees what concerns itself.
  var confinement: AppKey? { role == .publish ? sender.key : nil }

  /// Gives the connection the name that it asked for.
  func rename(_ tally: AppTally) {
    sender = Sender(tally, uid: uid, conn: conn)
  }

  /// What it may do, in the words of `hello`.
  var roles: [String] { isReader ? [role.rawValue, "reader"] : [role.rawValue] }
}

/// What a reader says of its voice when it comes.
struct Voice {
  /// The highest owns speech; with 0 it never does.
  var rank: Int64 = 50
  /// Every end of speech is reported, so that its reports alone are believed.
  var isReported = false
}

/// For whom a connection speaks: another name makes another one, so that nothing of it ever changes.
final class Sender {
  let tally: AppTally
  /// Whose windows it speaks of.
  let key: AppKey
  /// `,"app":…,"uid":…,"conn":…` as it stands in every entry of this connection.
  let origin: ByteBuffer

  init(_ tally: AppTally, uid: UInt32, conn: Int64) {
    self.tally = tally
    key = AppKey(uid: uid, app: Name(tally.app))
    origin = EntryWriter.origin(app: tally.app, uid: uid, conn: conn)
  }
}
