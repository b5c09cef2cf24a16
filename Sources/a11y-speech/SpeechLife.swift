// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// Our number at speech-dispatcher, kept for the next connection.
///
/// speech-dispatcher speaks on for a client that has died, and whoever knows its number can silence
/// it. The number stands in a file of the runtime directory, with the two processes by which it has
/// a meaning: speech-dispatcher, which gives the numbers, and the voice, which must have ended.
enum SpeechLife {
  private static let path = Environment.value("XDG_RUNTIME_DIR").map { $0 + "/a11yd/voice" }

  /// The number of our last connection with a speech-dispatcher, if it is over.
  static func earlier(at server: Int32?) -> Int? {
    guard let path, let server, let bytes = try? File.read(path, limit: 256) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let number = Int(words[0]), words[1] == name(of: server) else {
      return nil
    }
    // Another voice that lives speaks for itself.
    let isOurs = words[2] == name(of: Processes.own)
    let owner = words[2].prefix { $0 != "-" }
    guard isOurs || Int32(owner).map({ name(of: $0) != words[2] }) == true else { return nil }
    return number
  }

  static func remember(_ number: Int, at server: Int32) {
    guard let path else { return }
    let words = "\(number) \(name(of: server)) \(name(of: Processes.own))\n"
    do throws(Errno) {
      try Directory.create(String(path.dropLast("/voice".count)), mode: 0o700)
      let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate, .noFollow])
      try file.writeAll(Array(words.utf8).span)
    } catch {
      // Without it the next life waits until the old words have been spoken.
    }
  }

  /// A name that no other process ever bears.
  private static func name(of process: Int32) -> String {
    "\(process)-\(Processes.beginning(of: process) ?? 0)"
  }
}
