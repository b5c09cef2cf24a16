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
  static let notes = """
    Shows everything about the element with the focus: its label, value and traits, its place, how
    it would be spoken, who moved the focus there, and the results of the events of its app. Each
    change is a line of its own, and each key has an answer.
    \(InspectKey.help.joined(separator: "\n"))
    Acting needs the right to control, which everybody has on the bus of the own session.
    """

  @Flag("screen", "on a terminal, write the whole screen anew with each change")
  private var isScreen: Bool
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    let place = try ModelTimeline.Place(bus, for: .acting)
    let keyboard = Keyboard()
    let isTerminal = isatty(0) == 1 && isatty(1) == 1
    let session = Session(place, isPlain: !isScreen || !isTerminal, output)
    while try session.inspect(keyboard) == .again {}
  }

  /// One timeline after the other: entries that a bus has lost in a crash must leave the model.
  private final class Session {
    enum End {
      case quit, again
    }

    private let place: ModelTimeline.Place
    private let isPlain: Bool
    private let output: Output
    private var inspector = Inspector()
    private var bus: BusConnection?
    private var message: String?
    private var answers = KeyAnswers()

    init(_ place: ModelTimeline.Place, isPlain: Bool, _ output: Output) {
      self.place = place
      self.isPlain = isPlain
      self.output = output
    }

    /// `keyboard` is borrowed so that keys come one at a time as long as this lasts.
    func inspect(_ keyboard: borrowing Keyboard?) throws(Failure) -> End {
      let timeline = try ModelTimeline(place, interrupt: Self.keys(), Progress("Read", output))
      guard timeline.isLive else {
        // A failing connection tells the reason.
        _ = try asking { () throws(ClientError) in try BusConnection(path: place.path) }
        throw Failure(.unreachable, "The bus is not there.")
      }
      try timeline.catchUp(through: nil)
      for entry in timeline.outcomes { inspector.keepOutcome(entry) }
      inspector.start(with: try timeline.move())
      show(inspector.refresh(timeline), timeline)
      if timeline.model.focusSpot == nil {
        for line in Self.windows(timeline.model) { announce(line) }
      }
      if isPlain { output.line("h tells the keys.") }
      while true {
        try output.flush()
        var hasChanged = false
        let step = try timeline.followOn(
          through: nil,
          onEntry: { entry in
            let changed = self.inspector.update(with: entry, timeline)
            let answer = self.answers.findAnswer(in: entry, hasChange: !changed.isEmpty)
            if let answer { self.announce(answer) }
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
          message = nil
          for key in Self.pressedKeys() {
            if key == .quit { return .quit }
            press(key, timeline)
          }
        }
        for line in answers.overdue(at: timeline.last, timeline.model) { announce(line) }
        if !isPlain, hasChanged || message != nil { draw(timeline.model) }
      }
    }

    // MARK: Showing

    private func show(_ changed: [Inspector.Fact], _ timeline: ModelTimeline) {
      guard isPlain else {
        draw(timeline.model)
        return
      }
      for fact in changed { output.line(fact.line) }
    }

    private func announce(_ words: String) {
      let line = VisibleText.of(words)
      message = message.map { "\($0)\n\(line)" } ?? line
      if isPlain { output.line(line) }
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
    private static func pressedKeys() -> [InspectKey] {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = bytes.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
      return count > 0 ? InspectKey.parse(Array(bytes[..<count])) : [.quit]
    }

    private func press(_ key: InspectKey, _ timeline: ModelTimeline) {
      switch key {
      case .act(let action): act(action, .action(action), timeline)
      case .tell(let subject):
        for line in told(of: subject, timeline.model) { announce(line) }
      case .window(let number): goToWindow(number, timeline)
      case .unknown(let name): announce("\(name) has no meaning here; h tells the keys.")
      case .quit: break
      }
    }

    private func act(_ name: String, _ event: Event, _ timeline: ModelTimeline) {
      do throws(ClientError) {
        if bus == nil { bus = try BusConnection(path: place.path) }
        guard let bus else { return }
        let seq = try bus.publish(event).seq
        answers.await(name, seq, through: try bus.ping())
      } catch {
        if case .refused = error {} else { bus = nil }
        announce(Failure(error, type: "action").words ?? "")
      }
    }

    private func goToWindow(_ number: Int, _ timeline: ModelTimeline) {
      let all = timeline.model.windowSights
      guard all.indices.contains(number - 1) else {
        announce("There is no window \(number).")
        for line in Self.windows(timeline.model) { announce(line) }
        return
      }
      let window = all[number - 1]
      let event = Event.action("first", app: window.app.app.text).window(window.window.text)
      act("first", event, timeline)
    }

    // MARK: Telling

    /// The most windows that have a number, and the most elements that are told.
    private static let windowsTold = 9
    private static let elementsTold = 200

    private func told(of subject: InspectKey.Subject, _ model: Model) -> [String] {
      switch subject {
      case .element: return inspector.facts.map(\.line)
      case .outcomes:
        let results = inspector.results(model)
        return results.isEmpty ? ["Nothing of this app has ended yet."] : results
      case .windows: return Self.windows(model)
      case .elements: return Self.elements(model)
      case .keys: return InspectKey.help
      }
    }

    private static func windows(_ model: Model) -> [String] {
      let all = model.windowSights
      guard !all.isEmpty else {
        return ["No window is open yet; this goes on when an app opens one."]
      }
      let focus = model.focusSpot
      var lines = all.prefix(windowsTold).enumerated().map { index, window in
        let title = window.title.map { " \"\($0)\"" } ?? ""
        let count = window.elements.counted("element")
        let isHere = focus?.app == window.app && focus?.window == window.window
        return "\(index + 1): \(window.window.text)\(title) of \(window.app.app.text), "
          + "\(window.state), \(count)\(isHere ? ", has the focus" : "")."
      }
      if all.count > windowsTold {
        lines.append("\(all.count - windowsTold) more have no number; a11yctl tree tells them.")
      }
      return lines
    }

    private static func elements(_ model: Model) -> [String] {
      guard let focus = model.focusSpot else {
        return ["The focus is nowhere; w tells the windows."]
      }
      var lines: [String] = []
      var count = 0
      model.eachSight(in: focus.window, of: focus.app) { sight in
        count += 1
        guard count <= elementsTold else { return }
        let spot = Model.Spot(app: focus.app, window: focus.window, element: sight.element)
        lines.append(
          ElementWords.line(SeenElement(sight), hasFocus: spot == focus, isSuggested: false)
        )
      }
      if count > elementsTold {
        lines.append("\(count - elementsTold) more are not told here; a11yctl tree tells all.")
      }
      return lines
    }
  }
}
