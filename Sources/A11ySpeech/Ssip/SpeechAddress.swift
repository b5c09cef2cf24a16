// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// The address at which speech-dispatcher listens.
package struct SpeechAddress: Equatable {
  package let path: String
  /// Whether it is the one at which all programs of the session look.
  package let isUsual: Bool

  /// The command that starts a speech-dispatcher there, which ends with whoever has started it.
  ///
  /// Without words of its own, which would be a megabyte in memory with every start.
  package var serverCommand: [String] {
    let usual = ["speech-dispatcher", "-s", "-t", "0", "-l", "0"]
    return isUsual ? usual : usual + ["-S", path, "-P", path + ".pid"]
  }

  package static let prefix = "unix_socket:"

  /// The address by the environment alone; nil where it tells none.
  package static var standard: SpeechAddress? { try? SpeechAddress(option: nil) }

  /// The address of the door through which other programs speak to the bus; nil without a session.
  package static func door(environment: (String) -> String? = Environment.value) -> String? {
    environment("XDG_RUNTIME_DIR").map { $0 + "/a11yd/ssip.sock" }
  }

  /// The address by an option, else by the environment, else the session's.
  ///
  /// An environment that names the door is passed over, for behind the door are those who ask.
  package init(
    option: String?,
    door: String? = nil,
    environment: (String) -> String? = Environment.value
  ) throws(CommandLineOptions.Mistake) {
    let doors = [door, Self.door(environment: environment)].compactMap { $0 }
    if let given = option ?? environment("SPEECHD_ADDRESS"), !["", "unix_socket"].contains(given) {
      let path = try Self.path(in: given, of: "the address of speech-dispatcher")
      if !doors.contains(path) {
        self.path = path
        isUsual = false
        return
      }
      if option != nil { throw .init(words: "at \(given) is the door itself") }
    }
    guard
      let base = environment("XDG_RUNTIME_DIR")
        ?? environment("HOME").map({ $0 + "/.cache" })
    else { throw .init(words: "there is no XDG_RUNTIME_DIR, so --speech-address is needed") }
    path = base + "/speech-dispatcher/speechd.sock"
    isUsual = true
  }

  /// The path in an address as speech-dispatcher's clients write it.
  package static func path(
    in address: String,
    of subject: String
  ) throws(CommandLineOptions.Mistake) -> String {
    guard address.hasPrefix(prefix), address.count > prefix.count else {
      throw .init(words: "\(subject): expected \(prefix)PATH; got \(address)")
    }
    return String(address.dropFirst(prefix.count))
  }
}
