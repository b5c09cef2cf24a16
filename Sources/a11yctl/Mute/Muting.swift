// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yToml
import A11yWire

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
  init(_ words: CommandWords, changes: Bool = true) throws(Failure) {
    path = try words.socket(for: .operation(changes ? .reload : .rules)).path
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
    let files = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("rules")["files"]?.list?.compactMap(\.string) ?? []
    }
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
