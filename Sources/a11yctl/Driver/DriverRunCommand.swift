// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// Runs a test that drives assistive technology, in a desktop of its own that nobody sees.
struct DriverRunCommand: Command {
  static let name = "driver run"
  static let summary = "run a test with a desktop, a bus and the driver of its own"
  static let usage = "[OPTION]... -- PROGRAM [ARGUMENT]..."
  static let notes = """
    Starts an X server without a screen, buses, the ears and the driver, runs PROGRAM with them, and
    ends them all when it has ended. PROGRAM finds the driver at $AT_DRIVER_URL, the bus at
    $A11YD_SOCKET, and the desktop at $DISPLAY and $DBUS_SESSION_BUS_ADDRESS. With --orca a real
    Orca reads, and its words are heard through a11y-ssip, the door; with --browser a browser is
    there, with settings of its own. What runs says goes to standard error, PROGRAM's own words
    where they usually go. It ends with PROGRAM's own code, with 69 when something cannot be
    started, and with 128 and its number for a signal.
    """

  @Operands private var words: [String]
  @Flag("orca", "have Orca read, through the door") private var hasOrca: Bool
  @Option("browser", "BROWSER", "start chromium or firefox", as: .word)
  private var browser: HiddenDesktop.Browser?
  @Option("page", "URL", "the page that the browser begins with; about:blank if not given")
  private var page: String?
  private let pace = PaceOption()

  func run(_ output: Output) throws(Failure) {
    guard let program = words.first, !program.isEmpty else {
      throw Failure(.usage, "driver run expects a program. Try: a11yctl driver run -- ./my-test")
    }
    if page != nil, browser == nil { throw Failure(.usage, "--page needs --browser.") }
    let desktop = try HiddenDesktop()
    let code: Int32
    do throws(Failure) {
      code = try drive(desktop, output)
    } catch {
      desktop.end()
      throw error
    }
    desktop.end()
    guard code == 0 else { throw Failure(.init(rawValue: code), nil) }
  }

  /// Starts everything, and returns the code with which the program has ended.
  private func drive(_ desktop: HiddenDesktop, _ output: Output) throws(Failure) -> Int32 {
    let signals: AwaitedSignals
    do throws(Errno) {
      signals = try AwaitedSignals([.child, .interrupt, .terminate, .hangUp])
    } catch {
      throw Failure(.inputOutput, "The desktop cannot be set up: \(error).")
    }
    try desktop.start()
    let token = Machine.randomHex128()
    let server = try DriverServer(
      port: 0,
      token: token,
      bus: desktop.bus.socket,
      perCharacter: pace.chosen.perCharacter,
      keyboard: desktop.value
    )
    try server.endWith(signals.descriptor)
    if hasOrca { try desktop.startOrca() }
    if let browser { try desktop.start(browser, page ?? "about:blank") }
    let url = DriverToken.address(port: server.port, token: token)
    let child = try desktop.startProgram(words, url)
    defer { child.killGroup() }
    while child.isRunning {
      try server.serve(output.complain)
      while let signal = signals.nextSignal() {
        if signal != .child { return 128 + signal.number }
      }
    }
    server.close()
    return child.code ?? Failure.Code.inputOutput.rawValue
  }
}

/// A desktop that nobody sees, with a bus of its own, in a directory of its own.
final class HiddenDesktop {
  let bus: PrivateBus
  private let place: ScratchPlace
  private var variables: [String: String] = [:]
  private var programs: [ChildProcess] = []
  /// The pipes of programs that were waited for; they stay open, so that these may speak on.
  private var pipes: [PipedProgram] = []

  /// A browser as this desktop starts it.
  enum Browser: String, CaseIterable {
    case chromium, firefox
  }

  /// The longest wait for a program's first word.
  private static let patience: Duration = .seconds(20)
  /// The milliseconds that programs have to end before they are ended.
  private static let grace: Int32 = 1_000

  init() throws(Failure) {
    place = try ScratchPlace("a11yctl-driver")
    do throws(Failure) {
      bus = try PrivateBus(rules: [])
    } catch {
      place.remove()
      throw error
    }
  }

  /// A variable of this desktop's environment.
  func value(_ name: String) -> String? { variables[name] }

  /// Starts the X server, the session's bus, and the ears.
  func start() throws(Failure) {
    for name in ["home", "run"] { mkdir(place(name), 0o700) }
    variables = [
      "HOME": place("home"), "XDG_RUNTIME_DIR": place("run"), "A11YD_SOCKET": bus.socket,
      "XDG_CONFIG_HOME": place("home/.config"), "XDG_CACHE_HOME": place("home/.cache"),
      "XDG_DATA_HOME": place("home/.local/share"), "XDG_STATE_HOME": place("home/.local/state"),
      "XDG_SESSION_TYPE": "x11", "NO_AT_BRIDGE": "0", "GNOME_ACCESSIBILITY": "1",
    ]
    let screen = ["Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "1280x1024x24"]
    variables["DISPLAY"] = ":" + (try started(screen + ["-nolisten", "tcp"]) { Int($0) != nil })
    let session = try started([
      "dbus-daemon", "--session", "--nofork", "--print-address=1",
      "--address=unix:path=\(place("session"))",
    ]) { $0.hasPrefix("unix:") }
    variables["DBUS_SESSION_BUS_ADDRESS"] = session
    // A window gets the keys only where somebody gives it the focus.
    if OtherProgram.isInstalled("openbox") { try begin(["openbox"]) }
    let ears = ["--ears", "--socket", bus.socket, "--config", try empty()]
    _ = try started([try Self.ours("a11y-atspi")] + ears, errors: true) {
      $0.contains("hearing apps")
    }
  }

  /// Starts the door, and Orca behind it.
  func startOrca() throws(Failure) {
    let door = place("run/ssip.sock")
    let words = ["--socket", bus.socket, "--listen", "unix_socket:\(door)"]
    try begin([try Self.ours("a11y-ssip")] + words)
    try wait(for: "a11y-ssip") { access(door, F_OK) == 0 }
    variables["SPEECHD_ADDRESS"] = "unix_socket:\(door)"
    try hideOtherOrcas()
    try begin(["orca"])
    let client = try asking { () throws(ClientError) in
      let client = try BusConnection(path: bus.socket)
      let clients = EntryFilter(types: ["client"])
      try client.subscribe(SubscriptionRequest(from: .start, filter: clients))
      return client
    }
    let deadline = Deadline(after: Self.patience)
    while !deadline.hasPassed {
      let item = try asking { () throws(ClientError) in
        try client.next(timeout: .milliseconds(Int64(max(0, deadline.remaining))))
      }
      if case .entry(let entry) = item, entry.string("app") ?? entry.app == "orca" { return }
    }
    throw Failure(.unreachable, "Orca does not speak through the door.")
  }

  /// Has Orca find no other, for it gives way to those of the user in all sessions.
  private func hideOtherOrcas() throws(Failure) {
    let search = place("bin/pgrep")
    mkdir(place("bin"), 0o700)
    do throws(Errno) {
      try PrivateFile.replace(search, with: "#!/bin/sh\nexit 1\n")
    } catch {
      throw Failure(.inputOutput, "Writing \(search) failed: \(error).")
    }
    chmod(search, 0o700)
    let usual = Environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    variables["PATH"] = "\(place("bin")):\(usual)"
  }

  func start(_ browser: Browser, _ page: String) throws(Failure) {
    switch browser {
    case .chromium:
      // For root Chromium has no sandbox, of which it warns in a bar that takes the keys.
      let root = geteuid() == 0 ? ["--no-sandbox", "--test-type"] : []
      let quiet = [
        "--force-renderer-accessibility", "--no-first-run", "--disable-gpu",
        "--password-store=basic", "--disable-dev-shm-usage", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--user-data-dir=\(place("chromium"))",
      ]
      // A window that is the page alone, so that the keys go there.
      try begin(["chromium"] + root + quiet + ["--app=\(page)"])
    case .firefox:
      let name = OtherProgram.isInstalled("firefox") ? "firefox" : "firefox-esr"
      mkdir(place("firefox"), 0o700)
      do throws(Errno) {
        try PrivateFile.replace(place("firefox/user.js"), with: Self.firefoxSettings)
      } catch {
        throw Failure(.inputOutput, "Firefox's settings cannot be written: \(error).")
      }
      try begin([name, "--no-remote", "--kiosk", "--profile", place("firefox"), page])
    }
  }

  /// Firefox greets nobody and asks for nothing, so that the page is all there is.
  private static let firefoxSettings = """
    user_pref("browser.aboutwelcome.enabled", false);
    user_pref("browser.startup.homepage_override.mstone", "ignore");
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("browser.tabs.firefox-view", false);
    user_pref("termsofuse.bypassNotification", true);

    """

  /// Starts the program that drives, which has the person's own home and words.
  func startProgram(_ words: [String], _ url: String) throws(Failure) -> ChildProcess {
    var own = variables.filter { !["HOME", "PATH", "SPEECHD_ADDRESS"].contains($0.key) }
    own = own.filter { !$0.key.hasPrefix("XDG_") || $0.key == "XDG_RUNTIME_DIR" }
    own["XDG_SESSION_TYPE"] = "x11"
    own["AT_DRIVER_URL"] = url
    do throws(Errno) {
      return try ChildProcess(
        words,
        environment: Self.environment(own),
        ChildProcess.Streams(input: 0, output: 1, errors: 2),
        hasGroup: isatty(0) == 0
      )
    } catch {
      throw Failure(.unreachable, "\(words[0]) cannot be started: \(error).")
    }
  }

  /// Ends everything, the last first, and removes what is left.
  func end() {
    for program in programs.reversed() { program.terminateGroup() }
    let deadline = Deadline(after: .milliseconds(Int64(Self.grace)))
    while programs.contains(where: \.isRunning), !deadline.hasPassed { poll(nil, 0, 10) }
    for program in programs.reversed() { program.killGroup() }
    bus.end()
    bus.remove()
    place.remove(depth: 12)
  }

  // MARK: Programs

  private static func environment(_ variables: [String: String]) -> [String] {
    let others = Environment.all.filter { variable in
      let name = variable.prefix { $0 != "=" }
      return variables[String(name)] == nil && name != "WAYLAND_DISPLAY" && name != "DISPLAY"
    }
    return others + variables.map { "\($0.key)=\($0.value)" }
  }

  /// A program of ours, beside this one or along `$PATH`.
  private static func ours(_ name: String) throws(Failure) -> String {
    if let path = OtherProgram.beside(name), access(path, X_OK) == 0 { return path }
    guard OtherProgram.isInstalled(name) else {
      throw Failure(.unreachable, "\(name) stands neither beside a11yctl nor along $PATH.")
    }
    return name
  }

  private func empty() throws(Failure) -> String {
    let path = place("empty.toml")
    do throws(Errno) {
      _ = try FileDescriptor.open(path, [.writeOnly, .create])
    } catch {
      throw Failure(.inputOutput, "Writing \(path) failed: \(error).")
    }
    return path
  }

  /// Starts a program whose words are nobody's.
  private func begin(_ words: [String]) throws(Failure) {
    do throws(Errno) {
      programs.append(try ChildProcess(words, environment: Self.environment(variables)))
    } catch {
      throw Failure(.unreachable, "\(words[0]) cannot be started: \(error).")
    }
  }

  /// Starts a program, and returns its first line that is so.
  private func started(
    _ words: [String],
    errors: Bool = false,
    _ isWanted: (String) -> Bool
  ) throws(Failure) -> String {
    let program: PipedProgram
    do throws(Errno) {
      program = try PipedProgram(words, environment: Self.environment(variables)) { pipe in
        errors ? ChildProcess.Streams(errors: pipe) : ChildProcess.Streams(output: pipe)
      }
    } catch {
      throw Failure(.unreachable, "\(words[0]) cannot be started: \(error).")
    }
    programs.append(program.process)
    pipes.append(program)
    let deadline = Deadline(after: Self.patience)
    var said: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while !deadline.hasPassed {
      let wait = deadline.remaining
      let ready = try? program.words.waitReady(for: .readable, timeoutMilliseconds: wait)
      guard ready?.isEmpty == false,
        let count = try? piece.withUnsafeMutableBytes({ try program.words.read(into: $0) }),
        count > 0
      else { break }
      said += piece[..<count]
      let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
      if let line = lines.first(where: { isWanted(String($0)) }) { return String(line) }
    }
    throw Failure(.unreachable, "\(words[0]) does not start.")
  }

  private func wait(for name: String, until isThere: () -> Bool) throws(Failure) {
    let deadline = Deadline(after: Self.patience)
    while !isThere() {
      guard !deadline.hasPassed else { throw Failure(.unreachable, "\(name) does not start.") }
      poll(nil, 0, 20)
    }
  }
}
