// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The program at a server that is no BRLTTY, or one that lies: it tells so, takes no memory for
/// it, and ends at once when it is told to.
@Suite(.timeLimit(.minutes(hangs))) struct LyingDisplayTests {
  enum Lie: CaseIterable {
    case silence, close, garbage, half, hugeLength, flood

    /// The bytes that it answers with; nil where it closes at once.
    fileprivate var bytes: [UInt8]? {
      switch self {
      case .silence: []
      case .close: nil
      case .garbage: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
      case .half: [0, 0, 0]
      case .hugeLength: [0xff, 0xff, 0xff, 0xf0, 0, 0, 0, 0x76]
      case .flood:
        Array(repeating: [0, 0, 0, 4, 65, 65, 65, 65, 1, 2, 3, 4], count: 8_192).flatMap { $0 }
      }
    }

    fileprivate var telling: String {
      self == .close ? "BRLTTY cannot be reached" : "BRLTTY does not answer"
    }
  }

  @Test(arguments: Lie.allCases)
  func `a lie is told, and costs nothing`(lie: Lie) throws {
    let server = try LyingDisplay(lie)
    let directory = try ScratchDirectory()
    let program = try DaemonProcess(
      ["--socket", directory("bus.sock")],
      of: DaemonProcess.built("a11y-braille"),
      environment: ["BRLAPI_HOST": "127.0.0.1:\(server.number)", "BRLAPI_AUTH": "none"]
    )

    _ = try program.line(containing: lie.telling)
    let status = try String(contentsOfFile: "/proc/\(program.number)/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    #expect(peak.flatMap { Int($0.filter(\.isNumber)) } ?? .max < 32 * 1_024)

    let start = ContinuousClock.now
    program.send(SIGTERM)
    #expect(try program.end() == .exited(0))
    #expect(ContinuousClock.now - start < .seconds(2))
    withExtendedLifetime(server) {}
  }
}

/// A server at one of BRLTTY's ports.
private final class LyingDisplay {
  /// The number of BRLTTY that it stands for.
  let number: Int
  private let listener: Int32

  init(_ lie: LyingDisplayTests.Lie) throws {
    let port = try BrlttyPort()
    let listener = port.socket
    guard listen(listener, 8) == 0 else { throw Missing("a port to listen at") }
    self.listener = listener
    number = port.number
    Thread.detachNewThread {
      while true {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        guard let bytes = lie.bytes else {
          close(near)
          continue
        }
        Thread.detachNewThread { Self.lie(at: near, bytes, isEndless: lie == .flood) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Says the bytes, once or for ever, and stays until the other end has gone.
  private static func lie(at near: Int32, _ bytes: [UInt8], isEndless: Bool) {
    repeat {
      guard send(near, bytes, bytes.count, Int32(MSG_NOSIGNAL)) >= 0 else { break }
    } while isEndless
    var piece = [UInt8](repeating: 0, count: 4_096)
    while recv(near, &piece, piece.count, 0) > 0 {}
    close(near)
  }
}
