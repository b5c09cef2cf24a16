// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yPosix
import DBus

/// Questions to programs about their objects; each is answered once, by its deadline.
final class SourceInquiry {
  /// The accessibility bus, as long as it is there.
  var connection: DBusConnection?
  /// The locale of the session.
  private static let session = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(Environment.value)
    .first { !$0.isEmpty }
  /// The dialogs around objects, so that a form is climbed once.
  var dialogs = DialogTable()

  static let accessible = "org.a11y.atspi.Accessible"
  static let properties = "org.freedesktop.DBus.Properties"
  /// The time that a program has for the answer to a call.
  private static let patience: UInt64 = 1_000_000
  /// The time for its name, which it may be asked for while it starts.
  private static let startPatience: UInt64 = 5_000_000
  /// A page of text, or the children of an object; what is longer is no news.
  static let bounds = DBusBounds(stringBytes: 65_536, values: 1_024, depth: 6)
  /// Programs and windows of each that are looked through for the active one.
  private static let mostPrograms = 64
  private static let mostWindows = 16

  typealias Answer = (SourceAnswer) -> Void

  func inquire(_ question: SourceQuestion, _ onAnswer: @escaping Answer) {
    let source = question.source
    switch question.topic {
    case .program: askProgram(source, onAnswer)
    case .facts:
      askFullFacts(source) { [unowned self] in climb(from: source, $0, onAnswer) }
    case .window: askFacts(source) { onAnswer($0.map { .facts($0) } ?? .none) }
    case .control: askFocus(source, onAnswer)
    case .page: askPage(source, onAnswer)
    case .text: askRegion(source, onAnswer)
    case .parts(let text, let start):
      TextWalk(asking: self).readParts(of: text, at: start, in: source) { onAnswer(.parts($0)) }
    case .regions(let text, let start):
      TextWalk(asking: self).askObjects(of: text, at: start, in: source) { objects in
        RegionSearch(in: objects, asking: self).proceed { onAnswer(.objects($0)) }
      }
    case .members:
      TextWalk(asking: self).readMembers(of: source) { onAnswer(.parts($0)) }
    case .labels: askAlert(source, onAnswer)
    case .value: askValue(source, onAnswer)
    case .choice: askChoice(source) { onAnswer($0.map { .text($0) } ?? .none) }
    case .dialog: askDialog(source, onAnswer)
    }
  }

  func askValue(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    // Browsers have the words for a value among the attributes.
    var words: String?
    call(source, "GetAttributes") { words = $0.first?["valuetext"]?.text }
    askValue(source, ["CurrentValue", "MinimumValue", "MaximumValue", "Text"]) { answers in
      guard let present = answers[0]?.real else { return onAnswer(.none) }
      let text = [answers[3]?.text, words].compactMap { $0 }.first { !$0.isEmpty }
      onAnswer(
        .value(
          present: present,
          lowest: answers[1]?.real ?? 0,
          highest: answers[2]?.real ?? 0,
          text: text
        )
      )
    }
  }

  /// Asks for properties of a value, one by one.
  ///
  /// Where one of them fails, as the least value of a number without bounds in a browser, AT-SPI
  /// 2.46 answers GetAll with a message that is none, and the browser loses its connection.
  func askValue(
    _ source: SourceObject,
    _ names: [String],
    _ onAnswer: @escaping ([DBusValue?]) -> Void
  ) {
    var answers: [DBusValue?] = Array(repeating: nil, count: names.count)
    var left = names.count
    for (index, name) in names.enumerated() {
      property(name, in: "org.a11y.atspi.Value", of: source) { answer in
        answers[index] = answer
        left -= 1
        if left == 0 { onAnswer(answers) }
      }
    }
  }

  // MARK: Programs

  private func askProgram(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    property("Name", of: source, within: Self.startPatience) { [unowned self] answer in
      let name = answer?.text.flatMap { AppName.of($0) == nil ? nil : $0 }
      askProcess(source.sender) { process in
        // A program without a name has that of its process.
        let known = name ?? process.flatMap { Processes.name(of: Int32(clamping: $0)) }
        onAnswer(known.map { .program(name: $0, process: process) } ?? .none)
      }
    }
  }

  /// Asks the daemon for the process of a program.
  private func askProcess(_ sender: String, _ onAnswer: @escaping (Int64?) -> Void) {
    let isSent =
      connection?.call(
        .daemon("GetConnectionUnixProcessID"),
        [.string(sender)],
        deadlineMicroseconds: Self.patience
      ) { answer in
        onAnswer(answer.kind == .reply ? (try? answer.values(Self.bounds))?.first?.number : nil)
      } ?? false
    if !isSent { onAnswer(nil) }
  }

  // MARK: Facts

  func askFacts(_ source: SourceObject, _ onAnswer: @escaping (SourceFacts?) -> Void) {
    var role: AtspiRole?
    var attributes: [String: String] = [:]
    call(source, "GetRole") { answer in role = answer.first?.number.map(AtspiRole.init) }
    call(source, "GetAttributes") { answer in
      for entry in answer.first?.entries ?? [] { attributes[entry.name] = entry.value.text }
    }
    var language: String?
    property("Locale", of: source) { answer in
      language = answer?.text.flatMap { SourceLanguage.foreign($0, in: Self.session) }
    }
    // A program answers in the order of the questions.
    property("Name", of: source) { answer in
      onAnswer(
        role.map {
          SourceFacts(
            role: $0,
            name: answer?.text ?? "",
            attributes: attributes,
            language: language
          )
        }
      )
    }
  }

  /// Asks for the language of a live object or a control of a page, which Chromium has with its
  /// text alone.
  func askLanguage(
    of source: SourceObject,
    _ facts: SourceFacts?,
    _ onAnswer: @escaping (SourceFacts?) -> Void
  ) {
    guard let facts, facts.isOfPage, facts.language == nil, facts.isLive || facts.kind != nil
    else { return onAnswer(facts) }
    call(source, "GetDefaultAttributes", in: TextWalk.text) { answer in
      var found = facts
      found.language = answer.first?["language"]?.text.flatMap {
        SourceLanguage.foreign($0, in: Self.session)
      }
      onAnswer(found)
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

  /// Asks for a page; the browser's own menus, which Chromium makes of pages, are none.
  private func askPage(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    var address = ""
    call(source, "GetAttributeValue", in: "org.a11y.atspi.Document", [.string("DocURL")]) {
      address = $0.first?.text ?? ""
    }
    askControl(source) { found in
      let isMenu = address.hasPrefix("chrome://") && address.contains(".top-chrome")
      onAnswer(found.flatMap { isMenu ? nil : .control($0) } ?? .none)
    }
  }

  /// Asks for the whole text of a region, and for the label that its page gives it.
  private func askRegion(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    askOwnName(of: source) { [unowned self] label in
      TextWalk(asking: self).readObject(source) { [unowned self] text, _ in
        if let text { return onAnswer(.text(text, label: label ?? "")) }
        askChildren(source) { onAnswer($0.isEmpty ? .none : .text("", label: label ?? "")) }
      }
    }
  }

  /// Asks for the name that a page gives an object, which is not made of its text.
  func askOwnName(of source: SourceObject, _ onAnswer: @escaping (String?) -> Void) {
    var isOwn = false
    call(source, "GetAttributes") { isOwn = $0.first?["explicit-name"]?.text == "true" }
    property("Name", of: source) { answer in
      onAnswer(isOwn ? answer?.text.flatMap { $0.isEmpty ? nil : $0 } : nil)
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
    askControl(source) { control in
      onAnswer(control.map { MirrorNode($0, children: children, frame: frame) })
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
    askStates(of: window) { isActive = $0?[.active] ?? false }
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
    LabelWalk(asking: self).read(source) { onAnswer(.text(LabelWalk.sentences($0))) }
  }

  /// Asks for title and text of a dialog: its description, else the labels in it.
  private func askDialog(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    askControl(source) { [unowned self] dialog in
      guard let dialog else { return onAnswer(.none) }
      let title = dialog.facts.name
      if !dialog.description.isEmpty {
        return onAnswer(.dialog(title: title, text: dialog.description))
      }
      LabelWalk(asking: self).read(source) { texts in
        onAnswer(.dialog(title: title, text: LabelWalk.sentences(texts)))
      }
    }
  }

  /// Asks for the states of an object; nil where its program does not answer.
  func askStates(of source: SourceObject, _ onAnswer: @escaping (AtspiStates?) -> Void) {
    call(source, "GetState") { answer in
      let words = (answer.first?.members ?? []).compactMap(\.number)
      onAnswer(words.isEmpty ? nil : AtspiStates(words: words))
    }
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
