// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import Foundation
internal import Synchronization

/// Plays the bus from a script, on a real socket.
///
/// Each connection is played by the next scene, one after the other; a scene that is over closes
/// its connection. A line of the client that is not the expected one ends its scene, and is told
/// by `complaint`.
package final class FakeBus: Sendable {
  /// The lines of one connection, in order.
  package struct Scene: Sendable {
    package enum Step: Sendable {
      /// The client says a line with these words in it.
      case hear([String])
      /// The bus says lines.
      case say([String])
      /// The bus says something that is no whole line.
      case mumble(String)
      /// The client hangs up first.
      case wait
    }

    let steps: [Step]

    package init(_ steps: Step...) { self.steps = steps }
  }

  package let path: String
  private let record: Record

  private final class Record: Sendable {
    let directory: String
    let lines = Mutex<[String]>([])
    let complaint = Mutex<String?>(nil)

    init(directory: String) { self.directory = directory }

    deinit { try? FileManager.default.removeItem(atPath: directory) }
  }

  /// Begins to listen; the scenes are played as clients come.
  package init(_ scenes: Scene...) throws {
    // Short, because the address of a socket has room for 107 bytes.
    let record = Record(directory: "/tmp/a11y-\(UUID().uuidString.prefix(13))")
    self.record = record
    path = "\(record.directory)/bus.sock"
    // The thread alone uses it from here on.
    nonisolated(unsafe) let listener = try UnixListener(path: path, mode: 0o600)
    Thread.detachNewThread {
      for scene in scenes {
        guard (try? Self.play(scene, on: listener, record)) != nil else { return }
      }
    }
  }

  /// All lines that clients have said so far.
  package var lines: [String] { record.lines.withLock { $0 } }

  /// The first difference from the script.
  package var complaint: String? { record.complaint.withLock { $0 } }

  private static func play(
    _ scene: Scene,
    on listener: UnixListener,
    _ record: Record
  ) throws {
    _ = try listener.descriptor.waitReady(for: .readable, timeoutMilliseconds: -1)
    guard case .connection(let client) = listener.accept() else { return }
    var ear = Ear()
    for step in scene.steps {
      switch step {
      case .say(let lines): try say(lines.map { $0 + "\n" }.joined(), to: client)
      case .mumble(let text): try say(text, to: client)
      case .wait: while try ear.line(from: client) != nil {}
      case .hear(let words):
        let line = try ear.line(from: client)
        record.lines.withLock { $0.append(line ?? "") }
        guard let line, words.allSatisfy(line.contains) else {
          let complaint = "expected \(words); heard \(line ?? "the end")"
          record.complaint.withLock { $0 = $0 ?? complaint }
          return
        }
      }
    }
  }

  private static func say(_ text: String, to client: borrowing FileDescriptor) throws {
    var rest = Array(text.utf8)
    while !rest.isEmpty {
      switch client.send(rest.span) {
      case .sent(let count): rest.removeFirst(count)
      case .wouldBlock: _ = try client.waitReady(for: .writable, timeoutMilliseconds: -1)
      case .failed: return
      }
    }
  }

  /// Cuts what a client says into lines.
  private struct Ear {
    private var heard: [UInt8] = []

    mutating func line(from client: borrowing FileDescriptor) throws -> String? {
      while true {
        if let end = heard.firstIndex(of: 10) {
          defer { heard.removeFirst(end + 1) }
          return String(decoding: heard[..<end], as: UTF8.self)
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch buffer.withUnsafeMutableBytes({ client.receive(into: $0) }) {
        case .bytes(let count): heard += buffer[..<count]
        case .wouldBlock: _ = try client.waitReady(for: .readable, timeoutMilliseconds: -1)
        case .ended, .failed: return nil
        }
      }
    }
  }
}

/// The words of the bus, as scripts need them again and again.
package enum Says {
  package static let epoch = "00000000000000000000000000000001"
  package static let laterEpoch = "00000000000000000000000000000002"

  /// The answer to a hello that was asked like any request.
  package static let greeted = #"{"id":1,"ok":{}}"#

  /// The answer to a client's greeting.
  package static var hello: String { hello(epoch: epoch) }

  package static func hello(epoch: String) -> String {
    #"{"id":0,"ok":{"protocol":1,"epoch":"\#(epoch)","uid":1000}}"#
  }

  package static func subscribed(after seq: Int, epoch: String = epoch, id: Int = -1) -> String {
    #"{"id":\#(id),"ok":{"cursor":"\#(epoch):\#(seq)"}}"#
  }

  package static func entry(_ seq: Int, _ text: String = "Hello") -> String {
    entry(seq, app: "org.test", event: #"{"type":"announcement","text":"\#(text)"}"#)
  }

  package static func entry(_ seq: Int, app: String, event: String) -> String {
    #"{"seq":\#(seq),"time":1795242000123456,"mono":\#(seq),"app":"\#(app)","uid":1000,"#
      + #""conn":1,"event":\#(event),"crc":"00000000"}"#
  }

  package static func mark(_ name: String, _ seq: Int, epoch: String = epoch) -> String {
    #"{"mark":"\#(name)","cursor":"\#(epoch):\#(seq)"}"#
  }

  package static func accepted(_ id: Int, seq: Int) -> String {
    #"{"id":\#(id),"ok":{"seq":\#(seq),"durability":"written"}}"#
  }

  package static func refused(_ id: Int?, _ error: String) -> String {
    #"{"id":\#(id.map(String.init) ?? "null"),"err":\#(error)}"#
  }
}
