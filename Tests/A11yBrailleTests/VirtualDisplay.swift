// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation

/// A real BRLTTY on a display of its own making, at a port and in a directory of its own.
final class BRLTTY {
  /// The place of the program; nil where it is not installed.
  static let program = ["/usr/sbin/brltty", "/usr/bin/brltty", "/sbin/brltty", "/bin/brltty"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether its tests run: where it is installed, and where it must be.
  static let isWanted = program != nil || ProcessInfo.processInfo.environment["CI"] == "true"

  private let directory: ScratchDirectory
  private let number: Int
  private(set) var process: DaemonProcess

  /// The variables by which its clients find it.
  var environment: [String: String] { ["BRLAPI_HOST": host, "BRLAPI_AUTH": "none"] }

  private var host: String { "127.0.0.1:\(number)" }

  init() throws {
    directory = try ScratchDirectory()
    number = try Self.freeNumber()
    process = try Self.start(in: directory, number)
  }

  // While it waits for its display it hears no other signal.
  deinit { process.kill() }

  /// Ends it as a crash would.
  func kill() { process.kill() }

  /// Starts it again, after it was killed.
  func start() throws { process = try Self.start(in: directory, number) }

  /// Stops it where it stands; its sockets stay.
  func hang() { process.send(SIGSTOP) }

  func goOn() { process.send(SIGCONT) }

  /// Plugs a display in.
  func plug(cells: Int) throws -> VirtualDisplay {
    try VirtualDisplay(directory("display.sock"), cells: cells)
  }

  private static func start(in directory: ScratchDirectory, _ number: Int) throws -> DaemonProcess {
    guard let program else { throw Missing("brltty, which is not installed") }
    try? FileManager.default.removeItem(atPath: directory("display.sock"))
    try? FileManager.default.removeItem(atPath: directory("pid"))
    let process = try DaemonProcess(
      [
        "-f", "/dev/null", "-b", "vr", "-d", "server:\(directory("display.sock"))", "-x", "no",
        "-s", "no", "-n", "-e", "-W", directory.path, "-P", directory("pid"),
        "-A", "host=127.0.0.1:\(number),auth=none",
      ],
      of: program,
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    )
    _ = try process.line(containing: "listening on: \(directory("display.sock"))")
    return process
  }

  /// A number of BRLTTY's at whose port nobody listens.
  private static func freeNumber() throws -> Int {
    let port = try BrlttyPort()
    close(port.socket)
    return port.number
  }
}

/// A socket at a free port, and the number that BRLTTY has for it.
struct BrlttyPort {
  let socket: Int32
  let number: Int

  private static let first = 4_101

  init() throws {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout.size(ofValue: address))
    let result = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) | getsockname(descriptor, address, &length)
      }
    }
    guard result == 0 else { throw Missing("a free port") }
    socket = descriptor
    number = Int(UInt16(bigEndian: address.sin_port)) - Self.first
  }
}

/// The display's end of the virtual driver: it reads cells, and presses keys.
final class VirtualDisplay {
  private let socket: FileDescriptor
  private var received: [UInt8] = []
  /// The characters on the display now, without the blanks at its end.
  private(set) var text = ""
  /// The dots of the cells.
  private var dots = ""

  fileprivate init(_ path: String, cells: Int) throws {
    socket = try UnixStream.connect(path: path)
    try send("cells \(cells)")
  }

  /// Presses a key, by the name that BRLTTY has for its command.
  func press(_ command: String) throws { try send(command) }

  /// Waits until the display is BRLTTY's again, which has no screen to show.
  ///
  /// Without a screen BRLTTY writes its own words anew only after a key of its own.
  func isGivenBack() throws { try shows("no screen", pressing: "HOME") }

  /// Waits until these characters are on the display, and presses a key meanwhile, again and again,
  /// since BRLTTY passes over keys that follow each other closely.
  func shows(_ wanted: String, pressing command: String) throws {
    let deadline = Deadline.usual
    while text != wanted {
      try press(command)
      try take(within: Self.moment)
      if deadline.isOver { throw Missing("“\(wanted)”; there is “\(text)”") }
    }
  }

  /// Waits until these characters are on the display.
  func shows(_ wanted: String) throws { try wait(for: wanted) { text == wanted } }

  /// Waits until the first cells have these dots, of which the driver tells by themselves.
  func begins(with cells: String) throws { try wait(for: cells) { dots.hasPrefix(cells) } }

  private func wait(for wanted: String, until isThere: () -> Bool) throws {
    let deadline = Deadline.usual
    while !isThere() {
      try take(within: deadline.millisecondsLeft)
      if deadline.isOver { throw Missing("“\(wanted)”; there is “\(text)”, \(dots)") }
    }
  }

  /// The time between two keys, in milliseconds.
  private static let moment: Int32 = 100

  private func take(within milliseconds: Int32) throws {
    let ready = try socket.waitReady(for: .readable, timeoutMilliseconds: milliseconds)
    if !ready.isEmpty, !receive() { throw Missing("the driver, which has gone") }
  }

  private func send(_ line: String) throws {
    guard socket.send(Array("\(line)\n".utf8).span) == .sent(line.utf8.count + 1) else {
      throw Missing("room for \(line)")
    }
  }

  /// Takes what has come; false where the driver has gone.
  private func receive() -> Bool {
    var piece = [UInt8](repeating: 0, count: 4_096)
    guard case .bytes(let count) = piece.withUnsafeMutableBytes({ socket.receive(into: $0) })
    else { return false }
    received += piece[..<count]
    while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
      take(String(decoding: received[..<end], as: UTF8.self))
      received.removeFirst(end + 1)
    }
    return true
  }

  private func take(_ line: String) {
    guard let match = line.wholeMatch(of: /(Visual|Braille) "(.*)"/) else { return }
    if match.1 == "Braille" {
      dots = String(match.2)
    } else {
      text = String(match.2.reversed().drop { $0 == " " }.reversed())
    }
  }
}
