// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

// Replies about the log are rendered when the turn is over: entries that the log could not take are
// told to nobody.
extension Broker {
  /// Appends the reply, as far as the broker can answer it.
  package borrowing func render(
    _ reply: Reply,
    of turn: borrowing Turn,
    into out: inout ByteBuffer
  ) {
    if case .stateMark(let index) = reply.content {
      let picture = turn.pictures[index]
      Mark.state(picture, log.cursor(after: picture.after)).write(into: &out)
      return
    }
    guard !reply.words.isEmpty else { return }
    switch reply.content {
    case .ping:
      open(reply, of: turn, into: &out)
      out.append(member: "last", log.last.number)
    case .subscribed(let after):
      open(reply, of: turn, into: &out)
      out.append(member: "cursor", log.cursor(after: after).text)
    case .greeting(let party):
      open(reply, of: turn, into: &out)
      greet(turn.parties[party], into: &out)
    case .state(let index):
      let picture = index.map { turn.pictures[$0] } ?? presentPicture
      // The state brings its own braces.
      out.append("{\"id\":")
      out.append(turn.words.bytes.extracting(reply.words))
      out.append(",\"ok\":")
      picture.writeState(cursor: log.cursor(after: picture.after), into: &out)
      out.append("}\n")
      return
    case .lines, .accepted, .stateMark, .stats:
      preconditionFailure("what the turn or the shell knows is rendered there")
    }
    out.append("}}\n")
  }

  private borrowing func open(
    _ reply: Reply,
    of turn: borrowing Turn,
    into out: inout ByteBuffer
  ) {
    out.append("{\"id\":")
    out.append(turn.words.bytes.extracting(reply.words))
    out.append(",\"ok\":{")
  }

  private borrowing func greet(_ session: Session, into out: inout ByteBuffer) {
    out.append(member: "protocol", Protocol.version)
    out.append(member: "server", Protocol.server)
    out.append(member: "epoch", log.epoch.hex)
    out.appendEpochs(log.epochs)
    out.append(member: "first", log.first.number)
    out.append(member: "last", log.last.number)
    out.append(member: "conn", session.conn)
    out.append(member: "uid", Int64(session.uid))
    out.append(member: "roles", session.roles)
    out.append(member: "limits")
    Description.writeLimits(quotas, into: &out)
    let isDegraded = self.isDegraded
    out.object("durability") { out in
      out.append(member: "level", isDegraded ? "received" : "written")
      out.append(member: "loss_window_ms", Protocol.longestLossMilliseconds)
      out.append(member: "degraded", isDegraded)
    }
    out.append(member: "features", Protocol.features)
  }
}
