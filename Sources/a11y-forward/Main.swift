// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yForward
import A11yPosix
import A11yToml
import Glibc

/// From the command line to the running forwarder.
@main
enum Main {
  private static let summary = """
    Hands the log of this machine to NATS JetStream or to Redis, entry by entry, as it stands on the
    disk. Nothing leaves without --all, --without-texts or a file of settings that says so.
    With --read it prints what an engine has, of which a11yctl fleet makes answers.
    """

  private static let extras: [CompanionOptions.Extra] =
    [
      .init("to", "ADDRESS", "nats://HOST:PORT or redis://HOST:PORT, with commas between several"),
      .init("machine", "NAME", "the name of this machine's log in the engine"),
      .init("all", nil, "send all entries as they are"),
      .init("without-texts", nil, "send all entries without the words in them"),
      .init("apps", "NAMES", "send entries of these apps alone, with commas between"),
      .init("types", "NAMES", "send entries of these types alone, with commas between"),
      .init("max-rate", "N", "send at most so many entries in a second"),
      .init("heartbeat", "SECONDS", "tell so often that the machine lives; 0 for never"),
      .init("tend", nil, "make the streams of NATS, and remove there what machines have forgotten"),
    ] + ReadOptions.extras

  /// Thirty times what it ever needs: its two libraries read answers of any length.
  private static let mostMemory: UInt64 = 512 << 20

  static func main() {
    CompanionMain.start(ForwardProgram.name, summary: summary, extras: extras) { options in
      Machine.limitMemory(to: mostMemory)
      if let reading = try ReadOptions(options) {
        return ArchivePrinter(reading).printAll(LoadedCompanionSettings(forwarder: options.configuration))
      }
      if options.value("tend") != nil {
        return TendProgram(options, try ForwardOptions(options)).tendUntilEnd()
      }
      let code = try ForwardProgram(options, try ForwardOptions(options)).runUntilEnd()
      // A library that waits for an engine must not delay the end, not even by its own clearing up.
      _exit(code)
    }
  }
}
