// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yHttp
import A11yWire

/// The opening of a WebSocket, by the request of HTTP that begins it.
///
/// Everybody on the machine can reach the port, and so can every page in a browser. So who opens
/// knows the token, a page, which always names its origin, is refused, and the host is one of the
/// loopback's names: with another, a page from elsewhere has led the browser here.
struct WebSocketOpening {
  static let path = "/session"

  let port: UInt16
  /// The token; nil where none is asked for.
  let token: String?

  /// The answer to a head that has come whole, or never will, and whether the socket is open now.
  func answer(to head: HttpHead) -> (bytes: [UInt8], isOpen: Bool) {
    switch head {
    case .whole(let request): answer(to: request)
    case .incomplete, .late: refusal("408 Request Timeout", "The request did not come whole.")
    case .malformed: refusal("400 Bad Request", "This is no request of HTTP.")
    case .tooLarge: refusal("431 Request Header Fields Too Large", "The head is too long.")
    }
  }

  private func answer(to request: HttpRequest) -> (bytes: [UInt8], isOpen: Bool) {
    guard request.field("origin") == nil else {
      return refusal("403 Forbidden", "A page of a browser is not let in.")
    }
    guard let host = request.field("host"), hosts.contains(host.lowercased()) else {
      return refusal("403 Forbidden", "The host is not this machine.")
    }
    guard request.path == Self.path else {
      return refusal("404 Not Found", "The session is at \(Self.path).")
    }
    if let token, !isToken(token, in: request) {
      return refusal("401 Unauthorized", "The token is missing or wrong.")
    }
    guard request.method == "GET", lists(request, "upgrade", "websocket"),
      lists(request, "connection", "upgrade"),
      request.field("sec-websocket-version") == "13",
      let key = request.field("sec-websocket-key"), key.utf8.count == 24
    else {
      let fields = ["Upgrade: websocket", "Sec-WebSocket-Version: 13"]
      return refusal("426 Upgrade Required", "A WebSocket of version 13 is spoken here.", fields)
    }
    let accept = Base64.encode(SHA1.digest(of: Array((key + Self.guid).utf8)))
    let lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(accept)", "", "",
    ]
    return (Array(lines.joined(separator: "\r\n").utf8), true)
  }

  private var hosts: [String] { ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" } }

  private func isToken(_ token: String, in request: HttpRequest) -> Bool {
    let parameters = request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let named = parameters.split(separator: "&").first { $0.hasPrefix("token=") }
    let words = request.field("authorization")?.split(separator: " ") ?? []
    let bearer = words.count == 2 && words[0].lowercased() == "bearer" ? words[1] : nil
    return [named?.dropFirst("token=".count), bearer].contains { given in
      given.map { PageAnswer.isEqual(String($0), token) } ?? false
    }
  }

  /// Whether a field lists a word, in any case.
  private func lists(_ request: HttpRequest, _ field: String, _ word: String) -> Bool {
    (request.field(field) ?? "").split { ", ".contains($0) }.contains { $0.lowercased() == word }
  }

  private func refusal(
    _ status: String,
    _ words: String,
    _ fields: [String] = []
  ) -> (bytes: [UInt8], isOpen: Bool) {
    let all = ["Content-Type: text/plain; charset=utf-8"] + fields
    return (HttpAnswer.bytes(status, all, body: Array("\(words)\n".utf8)), false)
  }

  /// The text that RFC 6455 has behind every key.
  private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}

/// The hash that RFC 6455 asks for; nothing is kept safe by it.
///
/// No library that is linked here has one: libwslay leaves the opening to its user.
enum SHA1 {
  static func digest(of message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    let bits = UInt64(message.count) * 8
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: bytes.count, by: 64) {
      mix(bytes[start..<start + 64], into: &state)
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { at in
      block[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for at in 16..<80 {
      words.append(rotate(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for at in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch at {
        case 0..<20: (b & c | ~b & d, 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ words[at]
      (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
    }
    for (place, word) in [a, b, c, d, e].enumerated() { state[place] &+= word }
  }

  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word << bits | word >> (32 - bits)
  }
}
