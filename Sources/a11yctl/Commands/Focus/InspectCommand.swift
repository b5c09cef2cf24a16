// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yPosix
import A11yWire
import Glibc

/// Follows the focus, shows the element that has it, and acts on keys.
struct InspectCommand: Command {
  static let name = "inspect"
  static let summary = "follow the focus, show its element, and act with single keys"
  static let usage = "[OPTION]..."
  static let notes = """
    Shows everything about the element with the focus: its label, value and traits, its place, how
    it would be spoken, who moved the focus there, and the results of the last events of its app. On
    a terminal the screen is written anew with each change; with --plain, and where there is no
    terminal, each change is a line of its own.
    \(Inspector.keys.joined(separator: "\n"))
    Acting needs the right to control, which everybody has on the bus of the own session.
    """
  static let options = [Flag("plain", nil, "print changes as lines, one after the other")]

  private let place: Course.Place
  private let isPlain: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    place = try Course.Place(words, for: .acting)
    isPlain = words.has("plain")
  }

  func run(_ output: Output) throws(Failure) {
    let keyboard = Keyboard()
    let isTerminal = isatty(0) == 1 && isatty(1) == 1
    let session = Session(place, isPlain: isPlain || !isTerminal, output)
    while try session.inspect(keyboard) == .again {}
  }

  /// One course after the other: entries that a bus has lost in a crash must leave the model.
  private final class Session {
    enum End {
      case quit, again
    }

    private let place: Course.Place
    private let isPlain: Bool
    private let output: Output
    private var inspector = Inspector()
    private var bus: BusConnection?
    private var message: String?

    init(_ place: Course.Place, isPlain: Bool, _ output: Output) {
      self.place = place
      self.isPlain = isPlain
      self.output = output
    }

    /// `keyboard` is borrowed so that keys come one at a time as long as this lasts.
    func inspect(_ keyboard: borrowing Keyboard?) throws(Failure) -> End {
      let course = try Course(place, interrupt: Self.keys(), Progress("Read", output))
      guard course.isLive else {
        // A failing connection tells the reason.
        _ = try asking { () throws(ClientError) in try BusConnection(path: place.path) }
        throw Failure(.unreachable, "The bus is not there.")
      }
      try course.catchUp(through: nil)
      for entry in course.outcomes { inspector.keepOutcome(entry) }
      inspector.start(with: try course.move())
      show(inspector.refresh(course), course)
      if isPlain { for line in Inspector.keys { output.line(line) } }
      while true {
        try output.flush()
        var hasChanged = false
        let step = try course.followOn(
          through: nil,
          onEntry: { entry in
            let changed = self.inspector.update(with: entry, course)
            if self.isPlain { for fact in changed { self.output.line(fact.line) } }
            hasChanged = hasChanged || !changed.isEmpty
          },
          onCaughtUp: {}
        )
        switch step {
        case .lines: break
        case .subscribed where message != nil: announce("The bus is back.")
        case .subscribed, .ignored, .renumbered: continue
        case .away:
          bus = nil
          announce("The bus went away; waiting for it.")
        case .withdrawn, .misplaced: return .again
        case .interrupted:
          for key in Self.pressedKeys() {
            if key == UInt8(ascii: "q") || key == 3 || key == 4 { return .quit }
            press(key)
          }
        }
        if !isPlain, hasChanged || message != nil { draw(course.model) }
      }
    }

    // MARK: Showing

    private func show(_ changed: [Inspector.Fact], _ course: Course) {
      guard isPlain else {
        draw(course.model)
        return
      }
      for fact in changed { output.line(fact.line) }
    }

    private func announce(_ words: String) {
      message = words
      if isPlain { output.line(VisibleText.of(words)) }
    }

    /// Writes the screen anew.
    ///
    /// Unchanged lines stay in place, so that a reader speaks changes alone.
    private func draw(_ model: Model) {
      output.line(
        "\u{1B}[H\u{1B}[2J" + inspector.lines(model, message: message).joined(separator: "\n")
      )
    }

    // MARK: Keys

    /// Standard input, if poll can wait for it: a terminal or a pipe.
    private static func keys() -> FileDescriptor? {
      let number = dup(0)
      guard number >= 0 else { return nil }
      let keys = FileDescriptor(adopting: number)
      do throws(Errno) {
        try Poll().add(keys, token: 0, interest: .readable)
        return keys
      } catch {
        return nil
      }
    }

    /// The pressed keys; the end of the input counts as the key to quit.
    private static func pressedKeys() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = bytes.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
      guard count > 0 else { return [UInt8(ascii: "q")] }
      // Keys such as the arrows come as several bytes and mean nothing here.
      return bytes[0] == 27 ? [] : Array(bytes[..<count])
    }

    private func press(_ key: UInt8) {
      guard let action = Inspector.action(key) else {
        announce(Inspector.keys.joined(separator: " "))
        return
      }
      message = nil
      do throws(ClientError) {
        if bus == nil { bus = try BusConnection(path: place.path) }
        try bus?.publish(.action(action))
      } catch {
        if case .refused = error {} else { bus = nil }
        announce(Failure(error, type: "action").words ?? "")
      }
    }
  }
}
