// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

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
