// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// The address at which speech-dispatcher listens.
package struct SpeechAddress: Equatable {
  package let path: String
  /// Whether it is the one at which all programs of the session look.
  package let isUsual: Bool

  private static let prefix = "unix_socket:"

  /// The address by the environment alone; nil where it tells none.
  package static var standard: SpeechAddress? { try? SpeechAddress(option: nil) }

  /// The address by an option, else by the environment, else the session's.
  package init(
    option: String?,
    environment: (String) -> String? = Environment.value
  ) throws(CommandLineOptions.Mistake) {
    if let given = option ?? environment("SPEECHD_ADDRESS"), given != "unix_socket" {
      guard given.hasPrefix(Self.prefix), given.count > Self.prefix.count else {
        throw .init(
          words: "the address of speech-dispatcher: expected \(Self.prefix)PATH; got \(given)"
        )
      }
      path = String(given.dropFirst(Self.prefix.count))
      isUsual = false
      return
    }
    guard
      let base = environment("XDG_RUNTIME_DIR")
        ?? environment("HOME").map({ $0 + "/.cache" })
    else { throw .init(words: "there is no XDG_RUNTIME_DIR, so --speech-address is needed") }
    path = base + "/speech-dispatcher/speechd.sock"
    isUsual = true
  }
}
