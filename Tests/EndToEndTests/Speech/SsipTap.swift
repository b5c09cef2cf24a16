// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Foundation
import Synchronization

/// A socket between a client of speech-dispatcher and speech-dispatcher, which passes everything on
/// and keeps what was said, with the time of each line.
final class SsipTap: Sendable {
  struct Line: Sendable {
    let text: String
    let time: Int64
  }

  /// A text that was to be spoken.
  struct Spoken: Sendable {
    let markup: String
    /// The moment of the order to speak.
    let time: Int64
    /// The moments at which the message was told to begin and to end.
    var began: Int64?
    var ended: Int64?
    /// Whether it was told to be cancelled.
    var isCut = false
    /// The marks that were passed.
    var marks = 0

    /// Whether a synthesizer has spoken it to its end.
    ///
    /// eSpeak passes over the mark of a last word that is a sentence of its own.
    var isWhole: Bool {
      let all = markup.count(of: "<mark ")
      return ended != nil && marks >= max(min(all, 1), all - 1)
    }
  }

  private struct Half {
    var bytes: [UInt8] = []
    var lines: [Line] = []

    mutating func add(_ piece: some Sequence<UInt8>, at time: Int64) {
      for byte in piece {
        if byte == UInt8(ascii: "\n") {
          if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
          lines.append(Line(text: String(decoding: bytes, as: UTF8.self), time: time))
          bytes = []
        } else {
          bytes.append(byte)
        }
      }
    }
  }

  private struct Talk {
    var asked = Half()
    var answered = Half()
  }

  private let talks = Mutex<[Talk]>([])
  private let behind: String

  init(at path: String, before behind: String) throws {
    self.behind = behind
    let listener = try UnixListener(path: path, mode: 0o600)
    let box = ListenerBox(listener)
    let thread = Thread { [weak self] in
      while true {
        guard
          (try? box.listener.descriptor.waitReady(for: .readable, timeoutMilliseconds: 200))
            != nil
        else { return }
        guard let self else { return }
        if case .connection(let client) = box.listener.accept() { self.join(client.relinquish()) }
      }
    }
    thread.start()
  }

  private final class ListenerBox: @unchecked Sendable {
    let listener: UnixListener
    init(_ listener: consuming UnixListener) { self.listener = listener }
  }

  private func join(_ client: Int32) {
    guard let server = try? UnixStream.connect(path: behind).relinquish() else {
      close(client)
      return
    }
    let number = talks.withLock { talks in
      talks.append(Talk())
      return talks.count - 1
    }
    pump(from: client, to: server) { $0[number].asked.add($1, at: $2) }
    pump(from: server, to: client) { $0[number].answered.add($1, at: $2) }
  }

  private func pump(
    from source: Int32,
    to target: Int32,
    record: @escaping @Sendable (inout [Talk], ArraySlice<UInt8>, Int64) -> Void
  ) {
    let thread = Thread { [weak self] in
      var piece = [UInt8](repeating: 0, count: 65_536)
      while true {
        var readiness = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        poll(&readiness, 1, -1)
        let count = read(source, &piece, piece.count)
        if count < 0, errno == EAGAIN || errno == EINTR { continue }
        if count <= 0 { break }
        let now = Int64(SystemClock.bootMicroseconds())
        self?.talks.withLock { record(&$0, piece[..<count], now) }
        var sent = 0
        while sent < count {
          let more = piece.withUnsafeBytes {
            send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
          }
          if more < 0, errno == EAGAIN {
            var room = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
            poll(&room, 1, -1)
          } else if more < 0 {
            break
          } else {
            sent += more
          }
        }
      }
      shutdown(source, Int32(SHUT_RDWR))
      shutdown(target, Int32(SHUT_RDWR))
    }
    thread.start()
  }

  /// All lines to speech-dispatcher.
  var asked: [Line] { talks.withLock { $0.flatMap(\.asked.lines) } }

  /// The time of the latest line of either side.
  var latest: Int64 {
    talks.withLock { talks in
      talks.flatMap { [$0.asked.lines.last, $0.answered.lines.last] }.compactMap { $0?.time }.max()
        ?? 0
    }
  }

  /// All that was to be spoken, in order.
  var spoken: [Spoken] { talks.withLock { $0.flatMap(Self.spoken) } }

  private static func spoken(in talk: Talk) -> [Spoken] {
    var all: [Spoken] = []
    var order: Line?
    var text: [String] = []
    for line in talk.asked.lines {
      if let begun = order {
        if line.text == "." {
          all.append(Spoken(markup: text.joined(separator: "\n"), time: begun.time))
          (order, text) = (nil, [])
        } else {
          text.append(line.text)
        }
      } else if line.text == "SPEAK" {
        order = line
      } else if let sign = line.text.wholeMatch(of: /(CHAR|KEY|SOUND_ICON) (.+)/) {
        all.append(Spoken(markup: "<speak>\(escaped(sign.2))</speak>", time: line.time))
      }
    }
    var places: [String: Int] = [:]
    let answers = talk.answered.lines
    // A first walk, since events may come before the number of their message.
    // An empty message has no number, and nothing happens to it.
    var count = 0
    for line in answers {
      if line.text.hasPrefix("225-") { places[String(line.text.dropFirst(4))] = count }
      if line.text.hasPrefix("225-") || line.text.hasPrefix("227 ") { count += 1 }
    }
    // The first line of an event names the message, and the second one the client.
    for (index, line) in answers.enumerated() {
      let code = line.text.prefix(4)
      guard ["700-", "701-", "702-", "703-"].contains(code),
        index == 0 || !answers[index - 1].text.hasPrefix(code),
        let place = places[String(line.text.dropFirst(4))], all.indices.contains(place)
      else { continue }
      if code == "700-" { all[place].marks += 1 }
      if code == "701-" { all[place].began = all[place].began ?? line.time }
      if code == "702-" { all[place].ended = all[place].ended ?? line.time }
      if code == "703-" { all[place].isCut = true }
    }
    return all
  }

  private static func escaped(_ sign: some StringProtocol) -> String {
    sign.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
  }
}

extension String {
  /// How often a piece stands in it.
  fileprivate func count(of piece: String) -> Int { ranges(of: piece).count }
}
