// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yPosix
import A11yToml
import A11yWire

/// Prints what an engine has: machine, epoch and line of an entry, with a blank between.
final class ArchivePrinter {
  private let options: ReadOptions
  private var out = ByteBuffer(capacity: ArchivePrinter.batch)
  /// Whether somebody reads what is printed.
  private var hasReader = true

  /// The bytes of a write: about as many as a pipe holds.
  private static let batch = 65_536
  private static let unavailable: Int32 = 69
  private static let misconfigured: Int32 = 78

  init(_ options: ReadOptions) { self.options = options }

  /// Prints to the end, and returns the exit code.
  func printAll(_ file: LoadedCompanionSettings<ForwardSettings>) -> Int32 {
    for complaint in file.complaints { Self.complain("\(complaint)") }
    guard let address = options.engine ?? file.settings.engine else {
      Self.complain("no engine is named, by --from or in a file of settings")
      return Self.misconfigured
    }
    do throws(ForwardFailure) {
      try print(address, file.settings)
      flush()
      return 0
    } catch {
      flush()
      if let reason = error.engineReason { Self.complain("\(address) cannot be read: \(reason)") }
      return Self.unavailable
    }
  }

  private func print(
    _ address: EngineAddress,
    _ settings: ForwardSettings
  ) throws(ForwardFailure) {
    let archive: any EngineArchive =
      switch address.kind {
      case .nats: try NatsArchive(address, settings.nats)
      case .redis: try RedisArchive(address, settings.redis)
      }
    if options.wantsNewest { return try archive.readNewest(printEntry) }
    if options.wantsSigns { return printSigns(archive) }
    var pause: (() throws(ForwardFailure) -> Bool)?
    if options.follows { pause = { self.flush() } }
    try archive.readEntries(options.machine, from: options.start, pause: pause, printEntry)
  }

  /// Prints the signs of life; where the engine does not show them, its entries can still be read.
  private func printSigns(_ archive: any EngineArchive) {
    do throws(ForwardFailure) {
      try archive.readSigns(printSign)
    } catch {
      guard let reason = error.engineReason else { return }
      Self.complain("signs of life cannot be read: \(reason)")
    }
  }

  private func printEntry(_ entry: ArchivedEntry) -> Bool {
    appendHead(entry.machine, entry.epoch)
    out.append(entry.line.span)
    return endLine()
  }

  private func printSign(_ entry: ArchivedSign) -> Bool {
    appendHead(entry.machine, entry.sign.epoch)
    entry.sign.writeMark(at: entry.time, into: &out)
    return endLine()
  }

  private func appendHead(_ machine: String, _ epoch: String) {
    out.append(text: machine)
    out.append(" ")
    out.append(text: epoch)
    out.append(" ")
  }

  private func endLine() -> Bool {
    out.append("\n")
    return out.count < Self.batch || flush()
  }

  /// Writes what was printed; false where nobody reads it.
  @discardableResult
  private func flush() -> Bool {
    guard hasReader else { return false }
    if out.isEmpty {
      hasReader = StandardOutput.hasReader
      return hasReader
    }
    hasReader = out.withUnsafeBytes { StandardOutput.write($0) } == .written
    out.clear()
    return hasReader
  }

  private static func complain(_ words: String) {
    StandardError.write("\(ForwardProgram.name): \(VisibleText.of(words)).\n")
  }
}
