// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// A desktop at which a person goes through a program by keys and a real Orca reads, through the
/// door or straight through speech-dispatcher.
final class KeysRig {
  /// A text that Orca has had spoken, and what Orca was told of it.
  struct Said {
    let words: String
    let isCut: Bool
    /// Whether it was cut where Orca has stopped it, and else spoken to its end.
    let isAsOrdered: Bool
  }

  private let daemon: RunningDaemon
  private let session: DBusDaemon
  private let screen: DesktopScreen
  /// Between Orca and what it speaks to.
  private let tap: SsipTap
  /// Between our voice and speech-dispatcher, where Orca is at the door.
  private let voice: SsipTap?
  private var others: [DaemonProcess] = []

  /// Starts everything up to Orca's first words.
  init(hasDoor: Bool) throws {
    daemon = try RunningDaemon()
    let directory = daemon.directory
    var variables = try OrcaRig.home(in: directory)
    variables["SPEECHD_ADDRESS"] = "unix_socket:\(directory("orca.sock"))"
    session = try DBusDaemon(in: directory, environment: variables)
    variables["DBUS_SESSION_BUS_ADDRESS"] = session.address
    screen = try DesktopScreen(variables)
    variables = screen.environment
    others.append(try SpeechRig.startSound(in: directory, variables))
    others.append(try SpeechRig.startDispatcher(in: directory, variables))
    if hasDoor {
      voice = try SsipTap(at: directory("tap.sock"), before: directory("spd.sock"))
      try Data().write(to: URL(filePath: directory("speech.toml")))
      others.append(try SpeechRig.startSpeech(in: directory, variables, directory("tap.sock")))
      try SpeechLog(daemon.socket).wait(for: "the voice") { line in
        line.type == "client" && line.event["app"] == "a11y-speech"
          && line.event["state"] == "listening"
      }
      others.append(try SpeechRig.startDoor(in: directory, variables, directory("spd.sock")))
      tap = try SsipTap(at: directory("orca.sock"), before: directory("ssip.sock"))
    } else {
      voice = nil
      tap = try SsipTap(at: directory("orca.sock"), before: directory("spd.sock"))
    }
    try Self.write(Self.manners, to: directory("home/.local/share/orca"))
    others.append(try DaemonProcess([], of: OrcaRig.orcaProgram, environment: variables))
    try waitUntil("Orca's first words", within: .seconds(60)) { !tap.spoken.isEmpty }
    try settle()
  }

  deinit { for process in RigProcess.all(of: daemon.directory) { kill(process.id, SIGKILL) } }

  /// Orca reads no page by itself, since browsers tell at any moment that they have loaded one.
  private static let manners = "import orca.settings\norca.settings.sayAllOnLoad = False\n"

  private static func write(_ manners: String, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(manners.utf8).write(to: URL(filePath: "\(folder)/orca-customizations.py"))
  }

  /// Shows a program, and goes through it; what Orca has said to the keys behind the first one,
  /// which shows that the program is there.
  func play(_ program: KeyedProgram, keys: [String]) throws -> [Said] {
    others.append(try program.start(in: daemon.directory, on: screen))
    try screen.activate("Keys")
    try waitUntil("“\(program.greeting)”; so far \(tap.spoken)", within: .seconds(60)) {
      try tap.spoken.contains { try Self.words(of: $0).contains(program.greeting) }
    }
    try settle()
    var first = 0
    for (number, key) in keys.enumerated() {
      try press(key)
      if number == 0 { first = tap.spoken.count }
    }
    let stops = tap.asked.filter { $0.text.hasPrefix("STOP ") || $0.text.hasPrefix("CANCEL ") }
      .map(\.time)
    return try tap.spoken.dropFirst(first).map { said in
      Said(words: try Self.words(of: said), isCut: said.isCut, isAsOrdered: said.obeys(stops))
    }
  }

  /// The words of a text, with a blank between two of them.
  private static func words(of said: SsipTap.Spoken) throws -> String {
    try SpokenWords.of(said.markup).split { $0.isWhitespace }.joined(separator: " ")
  }

  /// Presses a key; the next one is pressed when Orca is silent or, behind a key with a mark, as
  /// soon as it has begun, so that what it says is cut.
  private func press(_ word: String) throws {
    let isHasty = word.hasSuffix("!")
    let (count, start) = (tap.spoken.count, tap.latest)
    try screen.press(isHasty ? String(word.dropLast()) : word)
    try settle(since: start) {
      isHasty && tap.spoken.dropFirst(count).contains { $0.began != nil }
    }
  }

  /// Waits until Orca has answered, and everything that it had to say has ended; or less.
  private func settle(since start: Int64 = 0, orUntil isEnough: () -> Bool = { false }) throws {
    let patience = Deadline(after: Self.answer)
    try waitUntil("silence", within: .seconds(90)) {
      if isEnough() { return true }
      // The times are read last: a text that ends meanwhile is a line of this moment.
      guard tap.spoken.allSatisfy({ $0.ended != nil || $0.isCut }) else { return false }
      let (latest, now) = (tap.latest, Int64(SystemClock.bootMicroseconds()))
      return (latest > start || patience.isOver) && now - latest > Self.silence
    }
  }

  /// The longest wait for an answer to a key to which Orca has nothing to say.
  private static let answer: Duration = .seconds(2)
  /// The microseconds of silence behind which nothing more comes to a key.
  private static let silence: Int64 = 600_000

  /// What Orca was told to have been heard, and what the voice has spoken of it.
  func heard() throws -> (byOrca: [String], fromVoice: [String]) {
    func whole(_ tap: SsipTap?) throws -> [String] {
      try (tap?.spoken ?? []).filter { $0.ended != nil }
        .map(Self.words).filter { !$0.isEmpty }
    }
    return (try whole(tap), try whole(voice))
  }
}

extension SsipTap.Spoken {
  /// Whether it was cut if its client has ordered so before its end, and only then.
  fileprivate func obeys(_ stops: [Int64]) -> Bool {
    if isCut { return stops.contains { $0 >= time } }
    guard let ended else { return false }
    return !stops.contains { (time..<max(time, ended - Self.onItsWay)).contains($0) }
  }

  /// The microseconds within which an order may pass the news of an end.
  private static let onItsWay: Int64 = 50_000
}

/// A program that a person goes through by keys.
enum KeyedProgram: String, CaseIterable, CustomTestStringConvertible {
  case gtk, firefox, chromium, terminal

  var testDescription: String { rawValue }

  /// The programs of every day; the others are for a long night.
  static let everyday: [KeyedProgram] = [.gtk, .firefox]

  /// Shows it in a window that is called “Keys”.
  fileprivate func start(
    in directory: ScratchDirectory,
    on screen: DesktopScreen
  ) throws -> DaemonProcess {
    switch self {
    case .gtk:
      return try DaemonProcess(
        [Desktop.file("keys.py")],
        of: "/usr/bin/python3",
        environment: screen.environment
      )
    case .terminal:
      let variables = screen.environment.merging(["PS1": "$ "]) { $1 }
      return try DaemonProcess(
        ["--disable-server", "--title=Keys", "-x", "/bin/bash", "--norc", "--noprofile"],
        of: "/usr/bin/xfce4-terminal",
        environment: variables
      )
    case .firefox: return try Browser.firefox.show(page: "keys.html", in: directory, on: screen)
    case .chromium: return try Browser.chromium.show(page: "keys.html", in: directory, on: screen)
    }
  }

  /// What Orca says when all of it is there.
  fileprivate var greeting: String {
    switch self {
    case .gtk, .terminal: "Keys"
    case .firefox, .chromium: "unvisited links"
    }
  }

  /// All keys, about fifty a program; behind one with a mark the next one comes at once.
  var keys: [String] {
    let words =
      switch self {
      case .gtk: Self.window
      case .firefox, .chromium: Self.page
      case .terminal: Self.lines
      }
    return words.split { $0.isWhitespace }.map(String.init)
  }

  private static let window = """
    Tab Tab! Tab! Tab Tab space Down! Up Tab Right Right Left Tab Down Down! Down Up Home End! Tab
    Down Down! Up Right Right ctrl+Right ctrl+Right Home End a b BackSpace BackSpace Tab! Tab
    shift+Tab shift+Tab! shift+Tab shift+Tab! shift+Tab shift+Tab space! space shift+Tab Home Right
    ctrl+Right! ctrl+Right End
    """

  private static let page = """
    ctrl+Home Down! Down! Down Up h! h shift+h! Right Right Left ctrl+Right ctrl+Right ctrl+Left
    Down! Down End Home k! k shift+k! Down Down l i! i Down h! Down! Down e! Right b! shift+b t
    Down Down! x space space ctrl+End! Up! Up Up ctrl+Home! Down Down! Down h
    """

  private static let lines = """
    Return e c h o space o n e space t w o Return Up! Up BackSpace BackSpace BackSpace t e n
    Return Left Home Right Right End ctrl+u e c h o space 1 2 space plus space 3 Return Up! Home
    ctrl+Right ctrl+Right End Return
    """
}
