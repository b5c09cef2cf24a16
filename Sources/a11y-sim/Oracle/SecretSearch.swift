// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Searches a disk for words that must not be on it.
struct SecretSearch {
  private let chronicle: Chronicle

  init(_ chronicle: Chronicle) { self.chronicle = chronicle }

  /// Blames every word of a forgotten event and every secret that is on the disk.
  func judge(_ disk: SimDisk) {
    let gone = chronicle.goneEvents.map { ($0.token, Array("\"ttl_ms\":\($0.token)".utf8)) }
    for name in disk.fileNames where !gone.isEmpty {
      guard let bytes = disk.content(name) else { continue }
      for (token, words) in gone where bytes.contains(words) {
        chronicle.judge.blame(
          expected: "event \(token) to be forgotten",
          came: "a word of it in \(name)"
        )
      }
    }
    for name in disk.fileNames {
      guard let bytes = disk.content(name), bytes.contains(EventMaker.secretMark) else { continue }
      chronicle.judge.blame(expected: "no secret in \(name)", came: "one")
    }
  }
}
