// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire
import Glibc

/// The logs of other machines, as an engine has them.
///
/// The libraries of the engines are with `a11y-forward`, which prints their lines. Those are
/// understood here.
struct FleetSource: OptionGroup {
  /// Takes machine, epoch and line of an entry; false where no more are wanted.
  typealias Reader = (String, String, Span<UInt8>) throws(Failure) -> Bool

  private let from: Repeated<From>
  private let since: Option<Int64>?
  @Option("config", "FILE", "read this file of settings in place of the usual ones")
  private var config: String?
  @Flag("json", "print JSON, an object on each line") var isJSON: Bool

  /// The value of --from: the engine, or the place with which reading begins.
  fileprivate enum From {
    case engine(String)
    case place(EntryPlace)
  }

  /// The options of commands that read no entries from a place on.
  init() {
    let explanation = "the engine: nats://HOST:PORT or redis://HOST:PORT"
    from = Repeated("from", "ADDRESS", explanation, as: .engine)
    since = nil
  }

  /// Those of commands that read entries, beginning with the `usual` ones.
  init(reading usual: String) {
    let place = "the engine's ADDRESS, or the place to begin with; \(usual) if not given"
    from = Repeated("from", "WHERE", place, as: .engineOrPlace)
    since = BeginningOptions.since
  }

  static let notes = """
    The engine is named by --from or by the file forward.toml, in $XDG_CONFIG_HOME/a11yd or in
    /etc/a11yd, which has the passwords, too. It is read by a11y-forward, from the package of that
    name.
    """

  static let program = "a11y-forward"
  /// Head and line of an entry.
  private static let longest = Limits.answerBytes + 256
  /// The milliseconds between two looks at a program that has closed its output.
  private static let pause: Int32 = 5

  /// The bytes of a machine's name.
  private static let longestName = 64

  static let readingNotes = """
    --from names the engine, too, by its ADDRESS, nats://HOST:PORT or redis://HOST:PORT, and may be
    given twice, once for each.
    """

  /// The words for `a11y-forward` that lead to the engine.
  private var settings: [String] {
    var address: String?
    for case .engine(let engine) in from.wrappedValue ?? [] { address = engine }
    return (address.map { ["--from", $0] } ?? []) + (config.map { ["--config", $0] } ?? [])
  }

  /// The place with which reading begins: what --from names beside the engine, and --since.
  var beginning: Beginning {
    var place: EntryPlace?
    for case .place(let named) in from.wrappedValue ?? [] { place = named }
    return Beginning(from: place, since: since?.wrappedValue)
  }

  /// The time with which a look at all machines begins.
  func time() throws(Failure) -> Int64 {
    try beginning.time { _ throws(Failure) in
      throw Failure(.usage, "--from expects a time here, since each machine has seqs of its own.")
    } ?? SystemClock.wallMicroseconds() - Self.hour
  }

  private static let hour: Int64 = 3_600_000_000

  /// The words for `a11y-forward` that ask for what comes from a place on; it may give more.
  static func question(_ beginning: Beginning) -> [String] {
    if let first = beginning.first { return ["--since-seq", String(first.number)] }
    return beginning.time.map { ["--since", String(max(0, $0))] } ?? []
  }

  /// The name of a machine, which is the first word.
  static func machine(_ operands: [String]) throws(Failure) -> String {
    guard let name = operands.first else {
      throw Failure(.usage, "The name of a machine is expected; a11yctl fleet machines lists them.")
    }
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, 1...longestName ~= name.utf8.count else {
      throw Failure(
        .usage,
        "The name of one machine is expected, of 1 to \(longestName) letters, digits, - and _;"
          + " got \(name)."
      )
    }
    return name
  }

  /// Gives what `a11y-forward --read` prints with these words.
  func forEachEntry(_ words: [String], _ reader: Reader) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(.inputOutput, "There is no pipe to be had.") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let output = FileDescriptor(adopting: ends[0])
    // Closed behind the start, so that the pipe ends with the program.
    defer { if ends[1] >= 0 { close(ends[1]) } }
    let program = try startProgram(["--read"] + words, into: ends[1])
    close(ends[1])
    ends[1] = -1
    var lines = InputLines(output, shown: Self.program, limit: Self.longest)
    while case let step = try lines.nextStep(), step != .end {
      guard step == .line, let ends = Self.head(of: lines.line) else { continue }
      let line = lines.line
      let machine = line.extracting(0..<ends.machine).string
      let epoch = line.extracting(ends.machine + 1..<ends.epoch).string
      guard try reader(machine, epoch, line.extracting(ends.epoch + 1..<line.count)) else {
        program.terminate()
        return
      }
    }
    // It has closed its output, and does nothing but end.
    while program.isRunning { poll(nil, 0, Self.pause) }
    guard let code = program.code, code != 0 else { return }
    // Its own words have told the reason.
    throw Failure(code == 127 ? .unreachable : Failure.Code(rawValue: code), nil)
  }

  private func startProgram(_ words: [String], into input: Int32) throws(Failure) -> ChildProcess {
    do throws(Errno) {
      return try ChildProcess(
        [Self.path] + words + settings,
        ChildProcess.Streams(output: input, errors: 2),
        hasGroup: false
      )
    } catch {
      throw Failure(
        .unreachable,
        "\(Self.program) reads the engine, and cannot be started: \(error). It is in the package"
          + " of that name."
      )
    }
  }

  /// The program beside this one, else along `$PATH`.
  private static var path: String {
    let beside = OtherProgram.ofThisProcess.flatMap { path in
      path.lastIndex(of: "/").map { "\(path[...$0])\(program)" }
    }
    return beside.flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? program
  }

  /// The ends of the first two words.
  private static func head(of line: Span<UInt8>) -> (machine: Int, epoch: Int)? {
    guard let machine = line.firstIndex(of: " ") else { return nil }
    let rest = line.extracting(machine + 1..<line.count)
    guard let epoch = rest.firstIndex(of: " ") else { return nil }
    return (machine, machine + 1 + epoch)
  }
}

extension Form<FleetSource.From> {
  fileprivate static var engine: Form {
    Form { given, _ throws(Failure) in
      if given.value.contains("://") { return .engine(given.value) }
      throw given.mistake("the engine's address, nats://HOST:PORT or redis://HOST:PORT")
    }
  }

  fileprivate static var engineOrPlace: Form {
    Form { given, now throws(Failure) in
      given.value.contains("://")
        ? .engine(given.value) : .place(try Form<EntryPlace>.place.read(given, now))
    }
  }
}
