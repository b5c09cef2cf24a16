// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yWire

/// The server of Redis that owns a key, which the others of a cluster name.
final class RedisOwner {
  private(set) var link: RedisLink
  private let settings: RedisSettings

  /// The way through a cluster that is changing; a longer one goes in circles.
  private static let mostHops = 5

  /// Connects to the first server that answers, beginning with the one at `turn`.
  init(_ address: EngineAddress, _ settings: RedisSettings, turn: Int) throws(ForwardFailure) {
    self.settings = settings
    var failure = ForwardFailure.engine("no server is named")
    var found: RedisLink?
    for place in address.servers.indices where found == nil {
      do throws(ForwardFailure) {
        let server = address.servers[(place + turn) % address.servers.count]
        found = try RedisLink(server, settings, isImporting: false)
      } catch {
        failure = error
      }
    }
    guard let found else { throw failure }
    link = found
  }

  func order(_ words: [String]) throws(ForwardFailure) -> RedisValue {
    var command = ByteBuffer(capacity: 128)
    command.appendCommand(words: words.count)
    for word in words { command.appendWord(word) }
    return try order(command)
  }

  /// Sends a command that is written already to the owner of its key.
  func order(_ command: borrowing ByteBuffer) throws(ForwardFailure) -> RedisValue {
    for _ in 0..<Self.mostHops {
      let answer = try link.order(command)
      guard case .refusal(let words) = answer, let hop = RedisHop(words, from: link.server) else {
        return answer
      }
      link = try RedisLink(hop.server, settings, isImporting: hop.isImporting)
    }
    throw .engine("the cluster sends us in circles")
  }
}
