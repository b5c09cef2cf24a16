// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog

/// An errand that the log runs for a connection, a slice between turns.
final class RunningErrand {
  enum Work {
    /// Nothing yet: an errand that waits for its turn costs no more than its request.
    case waiting
    /// Working out what was the case at an earlier entry.
    case past(PastState<BrokerState>, for: Inquiry)
    /// Finding out what became of an entry.
    case explaining(Explaining)
    /// Taking entries out.
    case forgetting(Forgetting<BrokerState>, id: [UInt8])
  }

  let connection: ClientConnection
  var work: Work

  init(of connection: ClientConnection, _ work: Work = .waiting) {
    self.connection = connection
    self.work = work
  }

  /// Whether it only answers its connection, and is of no use when that has gone.
  var isQuestion: Bool {
    switch work {
    case .waiting, .past, .explaining: true
    case .forgetting: false
    }
  }
}

/// The errands that connections wait for.
///
/// They go round by users: those of one user are done in the order in which they came, and between
/// two of them every other user has one. So a user who asks from a thousand connections holds up
/// himself, and no more than one of his errands takes room at a time, but for those that forget.
struct ErrandQueue {
  /// The users in the order of their turns, each with an errand at least.
  private(set) var users: [(uid: UInt32, errands: [RunningErrand])] = []

  var isEmpty: Bool { users.isEmpty }

  /// The errand whose turn it is.
  var first: RunningErrand? { users.first?.errands.first }

  mutating func append(_ errand: RunningErrand) {
    let uid = errand.connection.session.uid
    if let index = users.firstIndex(where: { $0.uid == uid }) {
      users[index].errands.append(errand)
    } else {
      users.append((uid, [errand]))
    }
  }

  func errand(of connection: ClientConnection) -> RunningErrand? {
    users.first { $0.uid == connection.session.uid }?
      .errands.first { $0.connection === connection }
  }

  /// Lets the next user have a turn.
  mutating func rotate() { users.append(users.removeFirst()) }

  mutating func remove(of connection: ClientConnection) {
    guard let index = users.firstIndex(where: { $0.uid == connection.session.uid }) else { return }
    let hadTurn = first?.connection === connection
    users[index].errands.removeAll { $0.connection === connection }
    if users[index].errands.isEmpty {
      users.remove(at: index)
    } else if hadTurn {
      rotate()
    }
  }
}
