// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient
package import A11yPosix
package import A11yToml
internal import Glibc
package import Systemd

/// The shell of a program around the bus: settings, signals, status, journal and loop.
///
/// All have one policy for a mistake in the settings: at the start it costs the setting that it is
/// in, and later none of the new settings is taken over. It is told both times.
package final class Companion<Settings: CompanionSettings> {
  package let options: CompanionOptions
  package let report: CompanionReport
  package let loop: EventLoop
  /// The settings by which the program goes.
  package private(set) var settings: Settings
  private let read: (String?) -> LoadedCompanionSettings<Settings>
  private let mistaken: MessageID?
  private var watches: [AnyObject] = []

  /// Reads the settings; `read` has the file that the command line names, if it names one.
  package init(
    _ name: String,
    _ options: CompanionOptions,
    mistaken: MessageID? = nil,
    read: @escaping (String?) -> LoadedCompanionSettings<Settings>
  ) throws(Errno) {
    self.options = options
    self.read = read
    self.mistaken = mistaken
    report = CompanionReport(program: name)
    loop = try EventLoop()
    let loaded = read(options.configuration)
    settings = loaded.settings
    tell(loaded.complaints, "left out")
    warn(loaded.warnings)
  }

  /// Obeys the signals that every program around the bus obeys, and gives signs of life.
  package func obey(
    onStop: @escaping () -> Void,
    onReload: @escaping (Settings) throws -> Void
  ) throws(Errno) {
    for signal in [SignalWatch.Signal.terminate, .interrupt] {
      watches.append(
        try SignalWatch(signal, priority: .high, on: loop) { [unowned self] in
          report.manager.stopping()
          onStop()
        }
      )
    }
    watches.append(
      try SignalWatch(.hangUp, priority: .normal, on: loop) { [unowned self] in reload(onReload) }
    )
    if let watchdog = try Watchdog(for: report.manager, on: loop) { watches.append(watchdog) }
  }

  /// Takes what the bus has sent; false where it cannot be watched any more, and the program ends.
  package func serve(_ link: BusLink, _ take: (BusLink.News) -> Void) -> Bool {
    do throws(ClientError) {
      for news in try link.serve() {
        if case .refused(let refusal) = news {
          report.say(.warning, "The bus has refused a request: \(refusal).")
        }
        take(news)
      }
      return true
    } catch {
      report.say(.error, "The bus cannot be watched any more: \(error).")
      loop.exit(70)
      return false
    }
  }

  private func reload(_ take: (Settings) throws -> Void) {
    report.manager.reloading()
    let loaded = read(options.configuration)
    tell(loaded.complaints, "kept as they were")
    warn(loaded.warnings)
    if loaded.complaints.isEmpty {
      settings = loaded.settings
      do {
        try take(settings)
        report.say(.info, "The settings were read again.")
      } catch {
        report.say(.error, "The settings cannot be taken over: \(error).")
      }
    }
    report.manager.ready()
  }

  /// Tells what counts today, and will not in a later version.
  private func warn(_ warnings: [Complaint]) {
    guard !warnings.isEmpty else { return }
    report.say(.warning, "Keys have new names: \(Complaints(warnings).sentence).")
  }

  private func tell(_ complaints: [Complaint], _ effect: String) {
    guard !complaints.isEmpty else { return }
    let reason = Complaints(complaints).sentence
    report.say(.warning, "Settings are \(effect): \(reason).", mistaken, reason: reason)
  }
}

/// The condition of a program around the bus, told to the service manager, to the journal and on
/// standard error in the same sentences.
package final class CompanionReport {
  private let program: String
  package let manager = Notifier()
  private let journal = Journal(to: .current(prefixed: false), threshold: .info)
  private var lastStatus = ""

  package init(program: String) { self.program = program }

  /// Tells the present condition in a sentence, once for as long as it lasts.
  package func status(
    _ sentence: String,
    _ priority: LogLevel = .info,
    _ message: MessageID? = nil,
    reason: String? = nil
  ) {
    guard sentence != lastStatus else { return }
    lastStatus = sentence
    manager.status(sentence)
    say(priority, sentence, message, reason: reason)
  }

  /// One entry of the journal; on standard error the same line.
  package func say(
    _ priority: LogLevel,
    _ sentence: String,
    _ message: MessageID? = nil,
    reason: String? = nil,
    file: String = #fileID,
    line: Int = #line,
    function: String = #function
  ) {
    let isJournal = journal.destination == .journal
    journal.send(
      priority: priority,
      message: isJournal ? sentence : "\(program): \(sentence)",
      messageID: message,
      fields: [("BUS_REASON", reason ?? sentence)],
      at: SystemClock.monotonicMicroseconds(),
      file: file,
      line: line,
      function: function
    )
  }
}

/// The way from a command line to a running program, and to its exit code.
package enum CompanionMain {
  /// Reads the command line of this process and runs `body`, unless the line asks for a text.
  package static func start(
    _ program: String,
    summary: String,
    extras: [CompanionOptions.Extra] = [],
    _ body: (CompanionOptions) throws -> Int32
  ) -> Never {
    Signals.ignoreBrokenPipe()
    Machine.forbidDumps()
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      let options = try CompanionOptions(words, of: program, summary: summary, extras: extras)
      if case .print(let text) = options.task {
        _ = StandardOutput.write(text)
        exit(0)
      }
      Signals.ignoreStraySignals()
      Signals.holdHangUp()
      Signals.crashAtOnce()
      exit(try body(options))
    } catch let mistake as CommandLineOptions.Mistake {
      fail(program, "\(mistake.words); --help tells more.", 64)
    } catch {
      fail(program, "\(error)", 71)
    }
  }

  private static func fail(_ program: String, _ words: String, _ code: Int32) -> Never {
    StandardError.write("\(program): \(words)\n")
    exit(code)
  }
}
