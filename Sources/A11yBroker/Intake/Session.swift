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

// The greeting: a name for the connection, and the answer about the bus.
extension Broker {
  mutating func hello(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    guard !session.hasSpoken else {
      throw Refusal(
        .fieldInvalid,
        field: "op",
        "expected hello once and first; got it after other requests"
      )
    }
    let fields = try checkedFields(of: .hello, in: line)
    if let want = fields[HelloField.want], !wantsOurVersion(line, want) {
      throw Refusal(
        .versionUnsupported,
        field: "want",
        "expected a list with \(Protocol.version) in it; got \(versions(line, want))"
      )
    }
    if fields[HelloField.role] != nil {
      guard session.role == .bus || session.role == .read else {
        throw Refusal(
          .roleDenied,
          field: "role",
          "a reader connects to the read socket; this is the \(session.role.rawValue) socket"
        )
      }
    }
    if let app = fields[HelloField.app] {
      let name = line.string(app)
      if let fault = AppLabel.fault(name, uid: session.uid) {
        throw Refusal(.fieldInvalid, field: "app", fault)
      }
      apps.leave(session.tally)
      session.rename(apps.join(uid: session.uid, app: name))
    }
    session.isReader = fields[HelloField.role] != nil
    session.wantsAdvice = fields[HelloField.advice].map { line.kind($0) == .yes } ?? false
    session.voice.isReported = fields[HelloField.reports].map { line.kind($0) == .yes } ?? false
    session.voice.rank =
      fields[HelloField.speech].flatMap { line.integer($0) } ?? session.voice.rank
    var client: String?
    if let value = fields[HelloField.client] { client = line.string(value) }
    advance(into: &turn)
    appendJoined(session, client: client, into: &turn)
    warn(session, id, into: &turn)

    turn.replies.append(Reply(content: .greeting(party: turn.parties.count), words: id))
    turn.parties.append(session)
  }

  private func wantsOurVersion(_ line: JSONDocument, _ want: JSONIndex) -> Bool {
    var version = want + 1
    while version < line.end(want) {
      if line.integer(version) == Protocol.version { return true }
      version = line.end(version)
    }
    return false
  }

  private func versions(_ line: JSONDocument, _ want: JSONIndex) -> String {
    var versions: [String] = []
    var version = want + 1
    while version < line.end(want), versions.count < 8 {
      versions.append(line.excerpt(version))
      version = line.end(version)
    }
    return versions.isEmpty ? "an empty list" : versions.joined(separator: ", ")
  }
}
