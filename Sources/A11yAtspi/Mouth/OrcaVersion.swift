// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The version of a running Orca, as in `43.1` or `48.alpha`.
package struct OrcaVersion: Equatable, Comparable, Sendable, CustomStringConvertible {
  package let major: Int
  /// The number behind the point; -1 for a version before the first of its row.
  package let minor: Int
  package let description: String

  /// Reads a version; what stands behind a space is passed over.
  package init?(_ text: String) {
    guard let word = text.split(separator: " ").first, word.utf8.count <= 32,
      word.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isGraphemeBase })
    else { return nil }
    let parts = word.split(separator: ".")
    guard let first = parts.first, let major = Int(first) else { return nil }
    self.major = major
    minor = parts.count > 1 ? Int(parts[1]) ?? -1 : 0
    description = String(word)
  }

  /// Finds the version in the file that Orca's installation keeps it in.
  package init?(platformFile: String) {
    let line = platformFile.split(separator: "\n").first { line in
      line.hasPrefix("version") && line.dropFirst(7).drop { $0 == " " }.first == "="
    }
    guard let line else { return nil }
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    self.init(String(parts[1]))
  }

  package static func < (one: OrcaVersion, other: OrcaVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}
