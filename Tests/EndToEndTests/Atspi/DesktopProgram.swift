// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yPosix
import DBus
import Foundation
import Synchronization
import Systemd

/// A program of the desktop, played on a thread with a real connection to a real D-Bus daemon.
///
/// It answers calls, and does what it is told; it ends with this object or with the daemon.
final class DesktopProgram: Sendable {
  /// A deed on the thread of the program.
  typealias Deed = @Sendable (DBusConnection) throws -> Void
  typealias Answer = @Sendable (DBusMessage, DBusConnection) -> DBusAnswer

  private let bell = Pipe()
  /// The name of its connection.
  let name: String

  /// Starts a program with objects below `path`; it has its name when this returns.
  init(
    on address: String,
    called name: String? = nil,
    below path: String = "/org",
    answering answer: @escaping Answer
  ) throws {
    let ready = Pipe()
    let (input, output) = (bell.fileHandleForReading, ready.fileHandleForWriting)
    let inbox = Inbox()
    self.inbox = inbox
    Thread.detachNewThread {
      try? Self.live(inbox, input, output, address, name, path, answer)
      try? output.close()
    }
    let line = ready.fileHandleForReading.availableData
    guard !line.isEmpty else { throw Missing("a connection of a program of the desktop") }
    self.name = String(decoding: line, as: UTF8.self)
  }

  deinit { try? bell.fileHandleForWriting.close() }

  /// Has the program do something, soon.
  func perform(_ deed: @escaping Deed) {
    inbox.deeds.withLock { $0.append(deed) }
    bell.fileHandleForWriting.write(Data([1]))
  }

  /// Emits a signal from an object.
  func emit(_ signal: DBusSignal, _ values: [DBusValue]) {
    perform { try $0.emit(signal, values) }
  }

  private final class Inbox: Sendable { let deeds = Mutex<[Deed]>([]) }
  private let inbox: Inbox

  private final class Ear {
    let descriptor: FileDescriptor

    init(_ number: Int32) { descriptor = FileDescriptor(adopting: dup(number)) }
  }

  private static func live(
    _ inbox: Inbox,
    _ input: FileHandle,
    _ output: FileHandle,
    _ address: String,
    _ name: String?,
    _ path: String,
    _ answer: @escaping Answer
  ) throws {
    let loop = try EventLoop()
    let connection = try DBusConnection(to: address, on: loop) { loop.exit(0) }
    let object = try connection.export(below: path) { [unowned connection] call in
      answer(call, connection)
    }
    let ear = Ear(input.fileDescriptor)
    let watch = try Watch(
      ear.descriptor,
      ownedBy: ear,
      for: .readable,
      priority: .normal,
      on: loop
    ) { _ in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = (try? bytes.withUnsafeMutableBytes { try ear.descriptor.read(into: $0) }) ?? 0
      if count == 0 { return loop.exit(0) }
      let due = inbox.deeds.withLock { deeds in
        defer { deeds = [] }
        return deeds
      }
      for deed in due { try? deed(connection) }
    }
    if let name { connection.requestName(name) }
    connection.call(.daemon("GetId"), deadlineMicroseconds: 20_000_000) { [unowned connection] _ in
      output.write(Data((connection.uniqueName ?? "").utf8))
    }
    _ = try loop.run()
    withExtendedLifetime((object, watch)) {}
  }
}
