// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// Serves AT Driver, by which tests drive a screen reader and hear what it says.
struct DriverServeCommand: Command {
  static let name = "driver serve"
  static let summary = "serve AT Driver, for tests that drive assistive technology"
  static let notes = """
    Serves the AT Driver of the W3C over a WebSocket on the loopback, and prints its address, which
    has the token in it. A client begins a session, presses keys in an X server, changes settings of
    the voice, and is told of all that is spoken, and of what is not with the reason. It is a reader
    of the lowest rank: where nobody else speaks, it ends each text at its pace. Everybody who has
    the token hears what is spoken and presses keys, so it is for nobody else. Ctrl-C ends it.
    """

  @Option("port", "PORT", "listen at this port; 4382 if not given", as: .number(in: 0...65_535))
  private var port: Int64?
  @Option("token-file", "FILE", "take the token from this file, and do not print it")
  private var tokenFile: String?
  @Flag("no-token", "ask for no token: for tests alone, on a machine of their own")
  private var isOpen: Bool
  private let pace = PaceOption()
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    if isOpen, tokenFile != nil {
      throw Failure(.usage, "--no-token and --token-file exclude each other.")
    }
    let token = try tokenFile.map { path throws(Failure) in try DriverToken.read(path) }
    let own = isOpen || token != nil ? nil : Machine.randomHex128()
    let path = try bus(for: .listening)
    let server = try DriverServer(
      port: UInt16(port ?? 4_382),
      token: token ?? own,
      bus: path,
      perCharacter: pace.chosen.perCharacter
    )
    let signals: AwaitedSignals
    do throws(Errno) {
      signals = try AwaitedSignals([.interrupt, .terminate, .hangUp])
    } catch {
      throw Failure(.inputOutput, "The driver cannot be set up: \(error).")
    }
    try server.endWith(signals.descriptor)
    let address = DriverToken.address(port: server.port, token: own)
    output.line("AT Driver is served at \(address) until Ctrl-C ends it.")
    try output.flush()
    try server.serve(output.complain)
    server.close()
  }
}

/// The word that opens the driver.
enum DriverToken {
  private static let most = 256

  /// Reads a token, which is to stand in an address as it is.
  static func read(_ path: String) throws(Failure) -> String {
    let bytes: [UInt8]
    do throws(File.Unreadable) {
      bytes = try File.read(path, limit: 4_096)
    } catch {
      throw Failure(.noInput, "\(path): \(error).")
    }
    let words = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    guard words.count == 1, let word = words.first, word.utf8.count <= most,
      word.utf8.allSatisfy(isPlain)
    else {
      throw Failure(.noInput, "\(path) has no token: one word of letters, digits, and - . _ ~")
    }
    return String(word)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    let sign = Character(Unicode.Scalar(byte))
    return byte < 128 && (sign.isLetter || sign.isNumber || "-._~".contains(sign))
  }

  /// The address of the session.
  static func address(port: UInt16, token: String?) -> String {
    let base = "ws://127.0.0.1:\(port)\(WebSocketOpening.path)"
    return token.map { "\(base)?token=\($0)" } ?? base
  }
}
