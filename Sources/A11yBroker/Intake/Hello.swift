// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

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
