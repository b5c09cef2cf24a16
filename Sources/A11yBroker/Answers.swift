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
      let session = turn.parties[party]
      let greeting = Greeting(session: session, log: log, quotas: quotas, isDegraded: isDegraded)
      Greeting.form.write(greeting, into: &out)
    case .state(let index):
      let picture = index.map { turn.pictures[$0] } ?? presentPicture()
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
}

/// The answer to the hello of a connection.
struct Greeting {
  let session: Session
  let log: LogHead
  let quotas: Quotas
  let isDegraded: Bool

  static let form = ObjectForm<Greeting>([
    .always("protocol", .anyInteger, "The version of the protocol.") { _ in Protocol.version },
    .always("server", .anyText, "The program and its version.") { _ in Protocol.server },
    .always("epoch", .epoch, "The epoch of the log, a life of its numbering.", \.log.epoch),
    .always(
      "epochs",
      .list(.object(EpochStart.form)),
      "The epochs of the log, the oldest first.",
      \.log.epochs
    ),
    .always("first", .count, "The first seq that the log has.", \.log.first),
    .always("last", .count, "The last seq that the log has.", \.log.last),
    .always("conn", .seq, "The number of this connection, as entries have it.", \.session.conn),
    .always("uid", .count, "The user, as the kernel tells it.", \.session.uid),
    .always(
      "roles",
      .list(.anyText),
      "The role of the socket, and reader if it was asked for.",
      \.session.roles
    ),
    .always(
      "limits",
      ValueForm(.object(Description.limits)) { Description.writeLimits($0, into: &$1) },
      "The limits of this bus.",
      \.quotas
    ),
    .always("durability", .object(durability), "How safe an event is that was taken.") { $0 },
    .always("features", .list(.anyText), "The parts of the protocol that this bus has.") { _ in
      Protocol.features
    },
  ])

  private static let durability = ObjectForm<Greeting>([
    .always(
      "level",
      .words(WordSet.acknowledgement.words.map(\.description)),
      "The way that an event has gone when it is answered."
    ) { $0.isDegraded ? "received" : "written" },
    .always(
      "loss_window_ms",
      .count,
      "The time within which a loss of power can lose an event."
    ) { _ in Protocol.longestLossMilliseconds },
    .always("degraded", .flag, "Whether the disk fails, so that events may be lost.", \.isDegraded),
  ])
}
