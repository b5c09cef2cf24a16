// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc
import Systemd

// Signals, descriptors and variables belong to a whole process. The first word names what this one
// does with its own; the tests look at what it prints, and how it ends.
switch CommandLine.arguments[1] {
case "output":
  precondition(StandardOutput.write(String(repeating: "x", count: 100_000)) == .written)
  StandardError.write("complaint\n")

case "output-without-reader":
  Signals.ignoreBrokenPipe()
  do {
    let pair = try UnixStream.pair()
    dup2(pair.first.number, 1)
  }
  precondition(StandardOutput.write("x") == .closed)

case "journal-flood":
  let journal = Journal(to: .standardError(prefixed: true), threshold: .info)
  let kind = MessageID("0123456789abcdef0123456789abcdef")
  for second in 0..<25 {
    journal.send(
      priority: .warning,
      message: "flood \(second)",
      messageID: kind,
      fields: [],
      at: UInt64(second) * 1_000_000
    )
  }
  journal.send(priority: .warning, message: "later", messageID: kind, fields: [], at: 30_000_000)
  journal.send(priority: .debug, message: "hidden", messageID: nil, fields: [], at: 0)

case "journal-field":
  _ = JournalEntry(
    priority: .info,
    message: "",
    messageID: nil,
    fields: [(CommandLine.arguments[2], "")],
    place: SourcePlace(file: "", line: 0, function: "")
  )

case "signs-of-life":
  let loop = try EventLoop()
  let watchdog = try Watchdog(for: Notifier(), on: loop)
  let timer = try Timer(on: .monotonic, priority: .low, on: loop) { loop.exit(0) }
  timer.arm(afterMicroseconds: 100_000)
  _ = try loop.run()
  withExtendedLifetime(watchdog) {}

case "rest-and-work":
  let loop = try EventLoop()
  let watchdog = try Watchdog(for: Notifier(), on: loop, restingAfter: 20_000)
  let timer = try Timer(on: .monotonic, priority: .low, on: loop) { loop.exit(0) }
  timer.arm(afterMicroseconds: 2_000_000)
  _ = try loop.run()
  withExtendedLifetime(watchdog) {}

case "signals":
  let loop = try EventLoop()
  var seen: Set<SignalWatch.Signal> = []
  let watches = try SignalWatch.Signal.allCases.map { signal in
    try SignalWatch(signal, priority: .normal, on: loop) {
      seen.insert(signal)
      if seen.count == SignalWatch.Signal.allCases.count { loop.exit(3) }
    }
  }
  for signal in SignalWatch.Signal.allCases { kill(getpid(), signal.number) }
  let code = try loop.run()
  withExtendedLifetime(watches) {}
  exit(code)

case "sockets":
  do throws(ListenSockets.Fault) {
    for socket in try ListenSockets.take() { print(socket.name, socket.number) }
    print(try ListenSockets.take().count, "more")
  } catch {
    print(error)
  }

default: exit(64)
}
