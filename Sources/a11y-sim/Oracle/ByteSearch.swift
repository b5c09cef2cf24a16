// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

extension [UInt8] {
  /// The place at which `wanted` stands first, at or behind `start`.
  func find(_ wanted: [UInt8], from start: Int) -> Int? {
    guard let opening = wanted.first else { return nil }
    return withUnsafeBytes { bytes in
      wanted.withUnsafeBytes { wanted in
        guard let base = bytes.baseAddress, let word = wanted.baseAddress else { return nil }
        var at = start
        while at + wanted.count <= bytes.count {
          let room = bytes.count - wanted.count - at + 1
          guard let found = memchr(base + at, Int32(opening), room) else { return nil }
          at = UnsafeRawPointer(found) - base
          if memcmp(base + at, word, wanted.count) == 0 { return at }
          at += 1
        }
        return nil
      }
    }
  }

  func contains(_ wanted: [UInt8]) -> Bool { find(wanted, from: 0) != nil }
}
