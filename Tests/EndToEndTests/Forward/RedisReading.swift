// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Questions to Redis in its own words.
struct RedisReading {
  private let socket: EngineSocket

  init(_ port: Int) throws { socket = try EngineSocket(port: port) }

  private enum Value {
    case text(String)
    case list([Value])

    var text: String {
      guard case .text(let text) = self else { return "" }
      return text
    }

    var list: [Value] {
      guard case .list(let list) = self else { return [] }
      return list
    }
  }

  func stored(_ machine: String) throws -> [EngineServer.Stored] {
    try socket.send("XRANGE a11yd:{\(machine)}:log - +\r\n")
    return try answer().list.map { entry in
      let fields = entry.list[1].list.map(\.text)
      return EngineServer.Stored(line: fields[1], epoch: fields[3], id: entry.list[0].text)
    }
  }

  /// The newest line.
  func newest(_ machine: String) throws -> String? {
    try socket.send("XREVRANGE a11yd:{\(machine)}:log + - COUNT 1\r\n")
    return try answer().list.first?.list[1].list[1].text
  }

  private func answer() throws -> Value {
    let head = try socket.line()
    let number = Int(head.dropFirst()) ?? 0
    switch head.first {
    case "$": return .text(try socket.bytes(number))
    case "*": return .list(try (0..<number).map { _ in try answer() })
    default: return .text(String(head.dropFirst()))
    }
  }
}
