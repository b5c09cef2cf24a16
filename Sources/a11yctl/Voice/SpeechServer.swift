// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech

/// A short conversation with speech-dispatcher, for questions about its synthesizers and voices.
final class SpeechServer {
  /// A voice of a synthesizer.
  struct Voice: Equatable {
    let name: String
    let language: String
  }

  private let socket: FileDescriptor
  private var reader = SsipReader()
  private var messages: [SsipMessage] = []

  /// The longest wait for a whole answer; eSpeak's 13,000 voices take a third of a second.
  private static let patience: UInt64 = 5_000_000

  /// Connects to the speech-dispatcher of the session; nil where there is none.
  init?(path: String) {
    guard let socket = try? UnixStream.connectAtOnce(path: path) else { return nil }
    self.socket = socket
    guard exchange("SET SELF CLIENT_NAME user:a11yctl:questions") != nil else { return nil }
  }

  /// The names of the synthesizers; nil where they cannot be had.
  var synthesizers: [String]? { exchange("LIST OUTPUT_MODULES")?.details }

  /// The voices of a synthesizer; nil where they cannot be had.
  func voices(of synthesizer: String?) -> [Voice]? {
    if let synthesizer {
      // Any name is taken, and another synthesizer then answers in its place.
      guard synthesizers?.contains(synthesizer) == true else { return nil }
      _ = exchange("SET SELF OUTPUT_MODULE \(synthesizer)")
    }
    guard let answer = exchange("LIST SYNTHESIS_VOICES"), answer.isSuccess else { return nil }
    return answer.details.compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count >= 2 else { return nil }
      return Voice(name: String(parts[0]), language: String(parts[1]))
    }
  }

  private func exchange(_ command: String) -> SsipMessage? {
    let line = Array("\(command)\r\n".utf8)
    guard socket.send(line.span) == .sent(line.count) else { return nil }
    let deadline = SystemClock.monotonicMicroseconds() + Self.patience
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while messages.isEmpty {
      let now = SystemClock.monotonicMicroseconds()
      guard now < deadline else { return nil }
      let milliseconds = Int32(clamping: (deadline - now) / 1_000 + 1)
      guard
        let ready = try? socket.waitReady(for: .readable, timeoutMilliseconds: milliseconds),
        !ready.isEmpty,
        case .bytes(let count) = bytes.withUnsafeMutableBytes({ socket.receive(into: $0) }),
        let read = reader.messages(in: bytes.prefix(count))
      else { return nil }
      messages += read
    }
    return messages.removeFirst()
  }
}
