// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// A conversation with a server of Redis in its own words.
final class RedisTalk {
  enum Answer {
    case nothing
    case text(String)
    case list([Answer])
    case refusal(String)

    var text: String {
      switch self {
      case .text(let text), .refusal(let text): text
      case .nothing, .list: ""
      }
    }

    var list: [Answer] {
      guard case .list(let list) = self else { return [] }
      return list
    }
  }

  private let socket: EngineSocket

  /// Entries that are asked for at once.
  private static let atOnce = 4_096

  init(port: Int, password: String? = nil) throws {
    socket = try EngineSocket(port: port)
    if let password { try order("AUTH", password) }
  }

  /// The answer to a command, be it a refusal.
  func ask(_ words: [String]) throws -> Answer {
    let command = words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
    try socket.send("*\(words.count)\r\n\(command)")
    return try answer()
  }

  /// The answer to a command that may not be refused.
  @discardableResult
  func order(_ words: String...) throws -> Answer { try order(words) }

  @discardableResult
  func order(_ words: [String]) throws -> Answer {
    let answer = try ask(words)
    if case .refusal(let reason) = answer { throw Refused(words: words, reason: reason) }
    return answer
  }

  struct Refused: Error {
    let words: [String]
    let reason: String
  }

  private func answer() throws -> Answer {
    let head = try socket.line()
    let number = Int(head.dropFirst()) ?? 0
    switch head.first {
    case "$" where number < 0, "*" where number < 0: return .nothing
    case "$": return .text(try socket.bytes(number))
    case "*": return .list(try (0..<number).map { _ in try answer() })
    case "-": return .refusal(String(head.dropFirst()))
    default: return .text(String(head.dropFirst()))
    }
  }

  /// All that it has of a machine, in its order.
  func stored(_ machine: String) throws -> [EngineServer.Stored] {
    var stored: [EngineServer.Stored] = []
    var from = "-"
    while true {
      let piece = try order(
        "XRANGE",
        Self.key(machine),
        from,
        "+",
        "COUNT",
        String(Self.atOnce)
      ).list
      stored += piece.map { entry in
        let fields = entry.list[1].list.map(\.text)
        return EngineServer.Stored(line: fields[1], epoch: fields[3], id: entry.list[0].text)
      }
      guard piece.count == Self.atOnce, let last = stored.last else { return stored }
      from = "(\(last.id)"
    }
  }

  /// The newest line that it has of a machine.
  func newest(_ machine: String) throws -> String? {
    let newest = try order("XREVRANGE", Self.key(machine), "+", "-", "COUNT", "1").list.first
    return newest?.list[1].list[1].text
  }

  static func key(_ machine: String) -> String { "a11yd:{\(machine)}:log" }
}
