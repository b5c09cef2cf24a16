// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yPosix
import DBus

/// Questions to programs about their objects; each is answered once, by its deadline.
final class SourceInquiry {
  /// The accessibility bus, as long as it is there.
  var connection: DBusConnection?

  static let accessible = "org.a11y.atspi.Accessible"
  static let properties = "org.freedesktop.DBus.Properties"
  /// The time that a program has for the answer to a call.
  private static let patience: UInt64 = 1_000_000
  /// The time for its name, which it may be asked for while it starts.
  private static let startPatience: UInt64 = 5_000_000
  /// A page of text, or the children of an object; what is longer is no news.
  static let bounds = DBusBounds(stringBytes: 65_536, values: 1_024, depth: 6)
  /// The most of a field that is asked for.
  private static let mostOfField: Int64 = 512

  /// Programs and windows of each that are looked through for the active one.
  private static let mostPrograms = 64
  private static let mostWindows = 16

  typealias Answer = (SourceAnswer) -> Void

  func inquire(_ question: SourceQuestion, _ onAnswer: @escaping Answer) {
    let source = question.source
    switch question.topic {
    case .program: askProgram(source, onAnswer)
    case .facts: askFacts(source) { [unowned self] in climb(from: source, $0, onAnswer) }
    case .control, .page: askControl(source, onAnswer)
    case .text:
      TextWalk(asking: self).readObject(source) { text, _ in
        onAnswer(text.map { .text($0) } ?? .none)
      }
    case .parts(let text, let start):
      TextWalk(asking: self).readParts(of: text, at: start, in: source) { onAnswer(.parts($0)) }
    case .members:
      TextWalk(asking: self).readMembers(of: source) { onAnswer(.parts($0)) }
    case .labels: askAlert(source, onAnswer)
    case .value: askValue(source, onAnswer)
    case .choice: askChoice(source) { onAnswer($0.map { .text($0) } ?? .none) }
    }
  }

  private func askValue(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    call(source, "GetAll", in: Self.properties, [.string("org.a11y.atspi.Value")]) { answer in
      guard let all = answer.first, let present = all["CurrentValue"]?.real else {
        return onAnswer(.none)
      }
      let text = all["Text"]?.text.flatMap { $0.isEmpty ? nil : $0 }
      onAnswer(
        .value(
          present: present,
          lowest: all["MinimumValue"]?.real ?? 0,
          highest: all["MaximumValue"]?.real ?? 0,
          text: text
        )
      )
    }
  }

  // MARK: Programs

  private func askProgram(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    property("Name", of: source, within: Self.startPatience) { [unowned self] answer in
      if let name = answer?.text, AppName.of(name) != nil {
        onAnswer(.program(name: name))
      } else {
        askProcess(source.sender, onAnswer)
      }
    }
  }

  /// Asks the daemon for the process of a program that has no name, and takes that process's name.
  private func askProcess(_ sender: String, _ onAnswer: @escaping Answer) {
    let isSent =
      connection?.call(
        .daemon("GetConnectionUnixProcessID"),
        [.string(sender)],
        deadlineMicroseconds: Self.patience
      ) { answer in
        let process = (try? answer.values(Self.bounds))?.first?.number
        let name = process.flatMap { Processes.name(of: Int32(clamping: $0)) }
        onAnswer(name.map { .program(name: $0) } ?? .none)
      } ?? false
    if !isSent { onAnswer(.none) }
  }

  // MARK: Facts

  func askFacts(_ source: SourceObject, _ onAnswer: @escaping (SourceFacts?) -> Void) {
    var role: AtspiRole?
    var attributes: [String: String] = [:]
    call(source, "GetRole") { answer in role = answer.first?.number.map(AtspiRole.init) }
    call(source, "GetAttributes") { answer in
      for entry in answer.first?.entries ?? [] { attributes[entry.name] = entry.value.text }
    }
    // A program answers in the order of the questions.
    property("Name", of: source) { answer in
      onAnswer(
        role.map { SourceFacts(role: $0, name: answer?.text ?? "", attributes: attributes) }
      )
    }
  }

  /// Looks for the region around an object, where there is one that matters.
  private func climb(
    from source: SourceObject,
    _ facts: SourceFacts?,
    _ onAnswer: @escaping Answer
  ) {
    guard let facts else { return onAnswer(.none) }
    guard let climb = RegionClimb(from: source, facts, asking: self) else {
      return onAnswer(.facts(facts))
    }
    climb.proceed { region in
      var found = facts
      found.region = region
      onAnswer(.facts(found))
    }
  }

  private func askControl(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    var states: AtspiStates?
    var description = ""
    call(source, "GetState") { answer in
      let words = (answer.first?.members ?? []).compactMap(\.number)
      if !words.isEmpty { states = AtspiStates(words: words) }
    }
    property("Description", of: source) { description = $0?.text ?? "" }
    askFacts(source) { [unowned self] facts in
      guard let facts else { return onAnswer(.none) }
      let finish: (SourceFacts, String?) -> Void = { facts, text in
        onAnswer(
          .control(ControlFacts(facts, states: states, description: description, text: text))
        )
      }
      if facts.role.isField {
        askField(source) { finish(facts, $0) }
      } else if facts.role.hasValue {
        askValue(source) { answer in
          guard case .value(let present, _, _, let text) = answer, present.isFinite else {
            return finish(facts, nil)
          }
          finish(facts, text ?? Ears.spoken(present))
        }
      } else if facts.role == .comboBox {
        askChoice(source) { finish(facts, $0) }
      } else if facts.role == .toggleButton, facts.name.isEmpty {
        askComboBox(around: source) { finish($0 ?? facts, $1) }
      } else {
        finish(facts, nil)
      }
    }
  }

  /// Asks for the combo box whose button has the focus, as GTK's has, and for its choice.
  private func askComboBox(
    around source: SourceObject,
    within levels: Int = comboLevels,
    _ onAnswer: @escaping (SourceFacts?, String?) -> Void
  ) {
    property("Parent", of: source) { [unowned self] answer in
      guard levels > 0, let parent = Self.object(answer, of: source.sender) else {
        return onAnswer(nil, nil)
      }
      askFacts(parent) { [unowned self] facts in
        guard let facts, facts.role == .comboBox else {
          return askComboBox(around: parent, within: levels - 1, onAnswer)
        }
        askChoice(parent) { onAnswer(facts, $0) }
      }
    }
  }

  /// Boxes between a combo box and its button.
  private static let comboLevels = 3

  /// Asks for the text of a combo box, else for the name of what is selected in it or in its menu.
  private func askChoice(_ source: SourceObject, _ onAnswer: @escaping (String?) -> Void) {
    let whole = [DBusValue.int32(0), .int32(Int32(Self.mostOfField))]
    call(source, "GetText", in: TextWalk.text, whole) { [unowned self] answer in
      let text = AtspiSignal.plain(answer.first?.text ?? "")
      if !text.isEmpty { return onAnswer(text) }
      askSelected(in: source) { [unowned self] name in
        if let name { return onAnswer(name) }
        askChildren(source) { [unowned self] children in
          guard let menu = children.first else { return onAnswer(nil) }
          askSelected(in: menu, onAnswer)
        }
      }
    }
  }

  private func askSelected(in source: SourceObject, _ onAnswer: @escaping (String?) -> Void) {
    call(source, "GetSelectedChild", in: "org.a11y.atspi.Selection", [.int32(0)]) {
      [unowned self] answer in
      guard let item = Self.object(answer.first, of: source.sender) else { return onAnswer(nil) }
      property("Name", of: item) { onAnswer($0?.text.flatMap { $0.isEmpty ? nil : $0 }) }
    }
  }

  /// Asks for the beginning of the text in a field.
  private func askField(_ source: SourceObject, _ onAnswer: @escaping (String?) -> Void) {
    property("CharacterCount", in: TextWalk.text, of: source) { [unowned self] answer in
      guard let count = answer?.number, count > 0 else { return onAnswer(nil) }
      let end = Int32(min(count, Self.mostOfField))
      call(source, "GetText", in: TextWalk.text, [.int32(0), .int32(end)]) { answer in
        onAnswer(answer.first?.text)
      }
    }
  }

  // MARK: Mirrors

  /// Looks at an object of a window; nil where its program does not answer.
  func look(at source: SourceObject, _ onAnswer: @escaping (MirrorNode?) -> Void) {
    var children: [SourceObject] = []
    var frame: [Int64]?
    askChildren(source) { children = $0 }
    let onScreen = DBusValue.uint32(0)
    call(source, "GetExtents", in: "org.a11y.atspi.Component", [onScreen]) { answer in
      let numbers = answer.first?.members.compactMap(\.number) ?? []
      if numbers.count == 4, numbers[2] > 0, numbers[3] > 0 { frame = numbers }
    }
    askControl(source) { answer in
      guard case .control(let control) = answer else { return onAnswer(nil) }
      onAnswer(MirrorNode(control, children: children, frame: frame))
    }
  }

  /// Asks the registry for the windows that are active now.
  func askActiveWindows(_ onFound: @escaping (_ window: SourceObject, _ title: String) -> Void) {
    let registry = SourceObject.root(of: "org.a11y.atspi.Registry")
    call(registry, "GetChildren") { [unowned self] answer in
      for program in (answer.first?.members ?? []).prefix(Self.mostPrograms) {
        guard let sender = program.members.first?.text, let path = program.members.last?.text
        else { continue }
        askChildren(SourceObject(sender, path)) { [unowned self] windows in
          for window in windows.prefix(Self.mostWindows) { checkActive(window, onFound) }
        }
      }
    }
  }

  private func checkActive(
    _ window: SourceObject,
    _ onFound: @escaping (SourceObject, String) -> Void
  ) {
    var isActive = false
    call(window, "GetState") { answer in
      let words = (answer.first?.members ?? []).compactMap(\.number)
      isActive = AtspiStates(words: words)[.active]
    }
    property("Name", of: window) { answer in
      if isActive { onFound(window, answer?.text ?? "") }
    }
  }

  // MARK: Alerts

  /// Asks for the text of an alert, else for the labels in it.
  private func askAlert(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    call(source, "GetText", in: TextWalk.text, [.int32(0), .int32(-1)]) { [unowned self] answer in
      guard answer.first?.text?.isEmpty == false else { return askLabels(source, onAnswer) }
      TextWalk(asking: self).readObject(source) { text, _ in onAnswer(.text(text ?? "")) }
    }
  }

  private func askLabels(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    LabelWalk(
      from: source,
      asking: { [unowned self] source, onAnswer in askMember(source, onAnswer) },
      onEnd: { onAnswer(.text($0)) }
    ).proceed()
  }

  /// Asks for the facts about an object within an alert, and for its children.
  private func askMember(
    _ source: SourceObject,
    _ onAnswer: @escaping (SourceFacts?, [SourceObject]) -> Void
  ) {
    var children: [SourceObject] = []
    askChildren(source) { children = $0 }
    askFacts(source) { facts in onAnswer(facts, facts == nil ? [] : children) }
  }

  func askChildren(_ source: SourceObject, _ onAnswer: @escaping ([SourceObject]) -> Void) {
    call(source, "GetChildren") { answer in
      onAnswer((answer.first?.members ?? []).compactMap { Self.object($0, of: source.sender) })
    }
  }

  // MARK: Calls

  /// The object of a reference; nil where it is another program's.
  static func object(_ reference: DBusValue?, of sender: String) -> SourceObject? {
    guard let members = reference?.members, members.count == 2, members[0].text == sender,
      let path = members[1].text
    else { return nil }
    return SourceObject(sender, path)
  }

  func property(
    _ name: String,
    in interface: String = accessible,
    of source: SourceObject,
    within patience: UInt64 = patience,
    _ onAnswer: @escaping (DBusValue?) -> Void
  ) {
    let values = [DBusValue.string(interface), .string(name)]
    call(source, "Get", in: Self.properties, values, within: patience) { onAnswer($0.first) }
  }

  /// Sets a property; the answer is whether the program has taken it.
  func change(
    _ source: SourceObject,
    _ name: String,
    in interface: String,
    to value: DBusValue,
    _ onEnd: @escaping (Bool) -> Void
  ) {
    let method = DBusMethod(source.sender, source.path, Self.properties, "Set")
    let isSent =
      connection?.call(
        method,
        [.string(interface), .string(name), .variant(value)],
        deadlineMicroseconds: Self.patience
      ) { onEnd($0.kind == .reply) } ?? false
    if !isSent { onEnd(false) }
  }

  /// Calls a method; a refusal and an answer that is late or too long are empty.
  func call(
    _ source: SourceObject,
    _ member: String,
    in interface: String = accessible,
    _ values: [DBusValue] = [],
    within patience: UInt64 = patience,
    _ onAnswer: @escaping ([DBusValue]) -> Void
  ) {
    let method = DBusMethod(source.sender, source.path, interface, member)
    let isSent =
      connection?.call(method, values, deadlineMicroseconds: patience) { answer in
        onAnswer(answer.kind == .reply ? (try? answer.values(Self.bounds)) ?? [] : [])
      } ?? false
    if !isSent { onAnswer([]) }
  }
}
