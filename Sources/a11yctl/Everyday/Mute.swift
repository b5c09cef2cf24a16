// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yRules
import A11yToml
import A11yWire

/// The user's wish that an app announces nothing by itself: a file with one rule.
///
/// The rule takes announcements alone, and none that answers to the user: the focus, and the effect
/// of what is done in the app, are heard as before. Urgent announcements are kept silent as well,
/// for that an app calls itself urgent is the very reason why some are muted; `letsUrgent` has them
/// heard.
struct Mute: Equatable {
  /// The name of the rule, by which explanations tell it.
  static let rule = "mute"

  /// The app's name, in which `*` stands for anything.
  let app: String
  /// The end, in microseconds since 1970; nil until further notice.
  let end: Int64?
  let letsUrgent: Bool

  private static let prefix = "mute-"
  private static let ending = ".toml"
  /// The line of a file that tells the end.
  private static let endMark = "# ends "
  /// Far more than such a file has.
  private static let largest = 65_536

  init(app: String, end: Int64?, letsUrgent: Bool) {
    self.app = app
    // Timers know whole seconds.
    self.end = end.map { ($0 + 999_999) / 1_000_000 * 1_000_000 }
    self.letsUrgent = letsUrgent
  }

  // MARK: The file

  /// The name of the file: that of the app, with other signs than letters and digits in hexadecimal
  /// digits.
  var fileName: String {
    var name = Self.prefix
    for scalar in app.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "._-".unicodeScalars.contains(scalar)
      {
        name.unicodeScalars.append(scalar)
      } else {
        name += String(scalar).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
          .joined()
      }
    }
    return name + Self.ending
  }

  static func isFileName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(ending)
  }

  /// The content of the file.
  var text: String {
    let quoted = "\"" + app.map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    var lines = ["# Made by a11yctl mute; a11yctl unmute takes it away."]
    if let end { lines.append(Self.endMark + ClockTime.universal(end)) }
    lines += ["[[rule]]", "name = \"\(Self.rule)\"", "app = \(quoted)", "type = \"announcement\""]
    lines.append("cause = \"auto\"")
    if letsUrgent { lines.append("priority = [\"low\", \"default\"]") }
    return (lines + ["present = \"log\"", ""]).joined(separator: "\n")
  }

  /// Reads a file; nil where it holds no mute.
  init?(file path: String) {
    guard let bytes = try? File.read(path, limit: Self.largest),
      let rules = try? Rule.read(text: bytes, fileName: path),
      let rule = rules.first(where: { $0.name == Self.rule && $0.settings.present == .log }),
      let app = rule.matchers.apps?.first?.text
    else { return nil }
    let mark = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(Self.endMark) }
    self.app = app
    end = mark.flatMap { Moment.parse(String($0.dropFirst(Self.endMark.count)), now: 0) }
    letsUrgent = rule.matchers.priorities.map { !$0.contains(.high) } ?? false
  }
}

/// The user's mutes, as files among the user's rules.
struct MuteShelf {
  let directory: String

  init(directory: String) { self.directory = directory }

  /// The shelf of a user with this environment.
  init(in environment: (String) -> String?) throws(Failure) {
    guard let home = ConfigHome.find(in: environment) else {
      throw Failure(.usage, "There is no home for the rules; XDG_CONFIG_HOME can name one.")
    }
    directory = "\(home)/a11yd/rules.d"
  }

  /// All mutes, by the names of their apps.
  func all() throws(Failure) -> [Mute] {
    let names: [String]
    do throws(Errno) {
      names = try Directory.names(directory)
    } catch .noSuchFile {
      return []
    } catch {
      throw Failure(.inputOutput, "\(directory) cannot be read: \(error).")
    }
    return names.filter(Mute.isFileName).compactMap { Mute(file: "\(directory)/\($0)") }
      .sorted { $0.app < $1.app }
  }

  /// Puts a mute in its place; one for the same app goes.
  func put(_ mute: Mute) throws(Failure) {
    do throws(Errno) {
      try Directory.create(directory, mode: 0o700)
      try PrivateFile.replace(path(of: mute), with: mute.text)
    } catch {
      throw Failure(.inputOutput, "\(path(of: mute)) cannot be written: \(error).")
    }
  }

  func remove(_ mute: Mute) throws(Failure) {
    do throws(Errno) {
      try File.unlink(path(of: mute))
    } catch .noSuchFile {
      // Somebody else was faster.
    } catch {
      throw Failure(.inputOutput, "\(path(of: mute)) cannot be removed: \(error).")
    }
  }

  func path(of mute: Mute) -> String { "\(directory)/\(mute.fileName)" }
}

/// Making and taking away mutes: the files, their timer, and the bus that goes by them.
struct Muting {
  /// The effect of a change on the bus.
  enum Effect {
    /// The bus goes by it.
    case inForce
    /// The bus does not run, and will read the files when it starts.
    case atStart
  }

  let shelf: MuteShelf
  let timer: UnmuteTimer
  private let path: String

  /// `changes` is false where mutes are only listed, which takes no right to reload.
  init(_ bus: BusSocket, changes: Bool = true) throws(Failure) {
    path = try bus(for: .operation(changes ? .reload : .rules))
    let usual = SocketPath.find(in: { $0 == "A11YD_SOCKET" ? nil : Environment.value($0) })
    shelf = try MuteShelf(in: Environment.value)
    timer = try UnmuteTimer(
      in: Environment.value,
      UnitManager(),
      program: OtherProgram.ofThisProcess ?? "a11yctl",
      socket: path == usual ? nil : path
    )
  }

  func mute(_ mute: Mute) throws(Failure) -> Effect {
    let before = try shelf.all().first { $0.fileName == mute.fileName }
    try shelf.put(mute)
    do throws(Failure) {
      guard try timer.arrange(for: shelf.all()) else {
        throw Failure(.unreachable, Self.noTimer(mute))
      }
      return try takeOver(mute)
    } catch {
      // All or nothing: a mute that is not in force would come by surprise later.
      if let before { try shelf.put(before) } else { try shelf.remove(mute) }
      _ = try? timer.arrange(for: shelf.all())
      throw error
    }
  }

  private static func noTimer(_ mute: Mute) -> String {
    let app = mute.app.contains(" ") ? "\"\(mute.app)\"" : mute.app
    return "Nothing was muted: no systemd of this user runs here that could end it in time."
      + " Try a11yctl mute \(app), and later a11yctl unmute \(app)"
  }

  private func takeOver(_ mute: Mute) throws(Failure) -> Effect {
    guard try reload() == .inForce else { return .atStart }
    let files = try ask(path, "rules")["files"]?.list?.compactMap(\.string) ?? []
    guard files.contains(shelf.path(of: mute)) else {
      throw Failure(
        .refused,
        "Nothing was muted: the bus at \(path) does not read the rules in \(shelf.directory)."
      )
    }
    return .inForce
  }

  /// Takes mutes away, whose apps are heard from now on.
  func unmute(_ mutes: [Mute]) throws(Failure) -> Effect {
    for mute in mutes { try shelf.remove(mute) }
    _ = try timer.arrange(for: shelf.all())
    return try reload()
  }

  private func reload() throws(Failure) -> Effect {
    do throws(Failure) {
      guard let mistakes = try Reloading(path: path).mistakes() else { return .inForce }
      throw Failure(.configuration, "The bus goes on with its old rules: \(mistakes.sentence)")
    } catch  where error.code == .unreachable {
      return .atStart
    }
  }

  /// A sentence for each app that the bus has not met.
  func strangers(_ apps: [String]) -> [String] { AppNames.strangers(apps, at: path) }
}

/// The timer that ends mutes: one pair of units of the user's own systemd, made from all mutes that
/// have an end.
///
/// systemd keeps the time of the timer's last run on disk, so that an end that passes while the
/// machine is off comes as soon as the user is back.
struct UnmuteTimer {
  static let timer = "a11yd-unmute.timer"
  static let service = "a11yd-unmute.service"

  private let directory: String
  private let units: UnitManager
  /// The command line that ends the mutes that are over.
  private let command: [String]

  /// A timer of a user with this environment, which tells the bus at `socket` if that is given.
  init(
    in environment: (String) -> String?,
    _ units: UnitManager,
    program: String,
    socket: String?
  ) throws(Failure) {
    guard let home = ConfigHome.find(in: environment) else {
      throw Failure(.usage, "There is no home for units; XDG_CONFIG_HOME can name one.")
    }
    directory = "\(home)/systemd/user"
    self.units = units
    command = [program, "unmute", "--due"] + (socket.map { ["--socket", $0] } ?? [])
  }

  /// Has systemd end these mutes in time; true where it will.
  func arrange(for mutes: [Mute]) throws(Failure) -> Bool {
    let ends = mutes.compactMap(\.end).sorted()
    guard !ends.isEmpty else {
      try removeUnits()
      return true
    }
    do throws(Errno) {
      try Directory.create(directory, mode: 0o700)
      try PrivateFile.replace("\(directory)/\(Self.timer)", with: timerText(ends))
      try PrivateFile.replace("\(directory)/\(Self.service)", with: serviceText)
    } catch {
      throw Failure(.inputOutput, "The units in \(directory) cannot be written: \(error).")
    }
    return units.obeys(.user, "daemon-reload")
      && units.obeys(.user, "enable", "--quiet", Self.timer)
      && units.obeys(.user, "restart", Self.timer)
  }

  private func removeUnits() throws(Failure) {
    guard (try? FileIdentity(path: "\(directory)/\(Self.timer)")) != nil else { return }
    // Without a manager nothing runs that would have to be ended; the files go all the same.
    _ = units.obeys(.user, "disable", "--quiet", "--now", Self.timer)
    do throws(Errno) {
      try? File.unlink("\(directory)/timers.target.wants/\(Self.timer)")
      try? File.unlink("\(directory)/\(Self.service)")
      try File.unlink("\(directory)/\(Self.timer)")
    } catch {
      throw Failure(.inputOutput, "The units in \(directory) cannot be removed: \(error).")
    }
    _ = units.obeys(.user, "daemon-reload")
  }

  // MARK: Texts

  func timerText(_ ends: [Int64]) -> String {
    let moments = ends.map { end in
      // “2026-11-21T12:03:04.000000Z” in the words of systemd.time(7).
      let parts = ClockTime.universal(end).split(separator: "T")
      return "OnCalendar=\(parts[0]) \(parts[1].prefix(8)) UTC"
    }
    let lines =
      [
        "# Made by a11yctl mute; it goes with the last mute that has an end.",
        "[Unit]", "Description=End of mutes of the accessibility notification bus", "",
        "[Timer]",
      ] + moments + ["AccuracySec=1s", "Persistent=yes", "", "[Install]", "WantedBy=timers.target"]
    return lines.joined(separator: "\n") + "\n"
  }

  var serviceText: String {
    """
    # Made by a11yctl mute; it goes with the last mute that has an end.
    [Unit]
    Description=Takes away mutes of the accessibility notification bus that are over

    [Service]
    Type=oneshot
    ExecStart=\(command.map(Self.quoted).joined(separator: " "))

    """
  }

  /// A word of a command line, with no sign in it that systemd would read as its own.
  private static func quoted(_ word: String) -> String {
    var quoted = ""
    for sign in word {
      switch sign {
      case "\"", "\\": quoted += "\\\(sign)"
      case "%", "$": quoted += "\(sign)\(sign)"
      default: quoted.append(sign)
      }
    }
    return "\"\(quoted)\""
  }
}
