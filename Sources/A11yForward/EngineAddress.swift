// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The engine that takes the log: its kind, and the servers of which any one will do.
package struct EngineAddress: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case nats
    case redis

    /// A server at its usual port.
    fileprivate var example: String {
      switch self {
      case .nats: "engine.example.org:4222"
      case .redis: "engine.example.org:6379"
      }
    }
  }

  package struct Server: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// Reads `host:port`; an address with colons stands in brackets, except where Redis writes it.
    package init?(_ text: String) {
      guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
        (1...65_535).contains(port)
      else { return nil }
      var host = text[..<colon]
      if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
      guard !host.isEmpty, host.unicodeScalars.allSatisfy({ $0.value > 32 && $0 != "/" }) else {
        return nil
      }
      self.init(host: String(host), port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  package let kind: Kind
  package let servers: [Server]

  /// The reason why a text is no address.
  package struct Mistake: Error, Equatable {
    package let words: String
  }

  private static let mostServers = 64

  /// Reads `nats://host:port,host:port` or the same with `redis`.
  package init(_ text: String) throws(Mistake) {
    let scheme = text.prefix { $0 != ":" }
    guard let kind = Kind(rawValue: String(scheme)), text.dropFirst(scheme.count).hasPrefix("://")
    else {
      throw Mistake(words: "expected nats://HOST:PORT or redis://HOST:PORT; got \(text)")
    }
    let list = text.dropFirst(scheme.count + 3).split(
      separator: ",",
      omittingEmptySubsequences: false
    )
    guard list.count <= Self.mostServers else {
      throw Mistake(words: "expected up to \(Self.mostServers) servers; got \(list.count)")
    }
    var servers: [Server] = []
    for part in list {
      // The scheme may stand before each server, as in NATS itself.
      let bare = part.hasPrefix("\(kind)://") ? part.dropFirst(kind.rawValue.count + 3) : part
      guard let server = Server(String(bare)) else {
        let got = bare.isEmpty ? "nothing" : String(bare)
        throw Mistake(words: "expected HOST:PORT, as in \(kind.example); got \(got)")
      }
      servers.append(server)
    }
    self.kind = kind
    self.servers = servers
  }
}

extension EngineAddress: CustomStringConvertible {
  package var description: String {
    "\(kind)://" + servers.map(\.description).joined(separator: ",")
  }
}

/// The name under which an engine keeps the log of a machine.
package struct MachineName: Equatable, Sendable {
  package let text: String

  /// The longest name that the contract allows.
  private static let longest = 64

  /// Accepts letters, digits, underscores and hyphens, and nothing else.
  package init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    guard isPlain, (1...Self.longest).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// The name for the log of a user on the machine, who may not be the only one; nil where the
  /// name leaves no room.
  package func ofUser(_ uid: UInt32) -> MachineName? {
    let ending = "-\(uid)"
    return text.hasSuffix(ending) ? self : MachineName(text + ending)
  }

  /// The subject of its entries in NATS.
  package var subject: String { "a11yd.\(text).log" }

  /// The key of its stream in Redis; the braces keep all keys of a machine in one slot.
  package var key: String { "a11yd:{\(text)}:log" }
}
