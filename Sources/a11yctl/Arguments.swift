// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// One thing that a11yctl can do.
///
/// A command has its options as properties, each with its name, its help and its type. Reflection
/// finds them, so that an option is declared in one place; help, completion and manual follow.
protocol Command {
  /// The word on the command line; with two words, the first names a group of commands.
  static var name: String { get }
  /// The description in the list of commands.
  static var summary: String { get }
  /// The words after its name in the first line of its help; another way to call it stands on a
  /// line of its own.
  static var usage: String { get }
  /// The words behind the name of a machine, for commands that read entries of an engine, too.
  static var usageOfMachine: String { get }
  /// The paragraph of its help before the options.
  static var notes: String { get }

  init()
  func run(_ output: Output) throws(Failure)
}

extension Command {
  static var usage: String { "[OPTION]..." }

  static var usageOfMachine: String {
    let others = ["[OPTION]...", "[LOG]", "LOG"]
    let words = usage.prefix { $0 != "\n" }.split(separator: " ")
    return words.filter { !others.contains(String($0)) }.joined(separator: " ")
  }

  /// The ways to call it, in words.
  private static var calls: [String] {
    var forms = usage.split(separator: "\n").map(String.init)
    if Arguments.has(ReadingOptions.self, Self()) {
      let rest = usageOfMachine.isEmpty ? "" : " \(usageOfMachine)"
      forms.append("--from ADDRESS [OPTION]... MACHINE\(rest)")
    }
    return forms.map { "a11yctl \(name) \($0)" }
  }

  static var options: [any CommandOption] { Arguments(of: Self()).options }

  static var help: String {
    let options = options
    let width = options.map(\.shown.count).max() ?? 0
    let list = options.map { "  \($0.shown.padded(to: width))  \($0.explanation)" }
    return """
      Usage: \(calls.joined(separator: "\n   or: "))
      \(notes)

      Options:
      \(list.joined(separator: "\n"))
      """
  }

  /// The command that these words ask for.
  init(
    _ words: [String],
    _ sockets: Sockets = .ofThisProcess,
    now: Int64 = SystemClock.wallMicroseconds()
  ) throws(Failure) {
    self.init()
    let call = Invocation(command: Self.name, sockets: sockets, now: now)
    _ = try Arguments(of: self).read(words, call)
  }
}

/// A call of a command: its name, the sockets that its environment leads to, and the time.
struct Invocation {
  let command: String
  let sockets: Sockets
  let now: Int64
}

/// The command line of a command: its options, and what was given.
struct Arguments {
  let options: [any CommandOption]
  private let operands: Operands?
  private let help = Flag("help", "print this and end; -h too")
  private let version = Flag("version", "print the version and end; -v too")

  /// What a command line asks for.
  enum Wish {
    case run, help, version
  }

  init(of command: any Command) {
    options = Self.options(of: command) + [help, version]
    operands = Mirror(reflecting: command).children.lazy.compactMap { $0.value as? Operands }.first
  }

  /// The options among the properties of a command or of a group, those of groups in their place.
  static func options(of owner: Any) -> [any CommandOption] {
    Mirror(reflecting: owner).children.flatMap { property -> [any CommandOption] in
      switch property.value {
      case let option as any CommandOption: [option]
      case let group as any OptionGroup: options(of: group)
      default: []
      }
    }
  }

  /// Whether a command has this group of options, be it within another group.
  static func has(_ group: (some OptionGroup).Type, _ owner: Any) -> Bool {
    Mirror(reflecting: owner).children.contains {
      type(of: $0.value) == group || $0.value is any OptionGroup && has(group, $0.value)
    }
  }

  /// Gives the options and operands of the command what the words say.
  func read(_ words: [String], _ call: Invocation) throws(Failure) -> Wish {
    let line: CommandLineOptions
    do throws(CommandLineOptions.Mistake) {
      let flags = options.map { option in
        CommandLineOptions.Flag(
          option.name,
          needsValue: option.placeholder != nil,
          letter: option.letter
        )
      }
      line = try CommandLineOptions(words, flags)
    } catch {
      let more = " Try: a11yctl \(call.command) --help"
      throw Failure(.usage, error.words + question(about: error.unknown) + more)
    }
    func given(_ option: any CommandOption) -> [CommandLineOptions.Given] {
      line.given.filter { $0.name == option.name }
    }
    if !given(help).isEmpty { return .help }
    if !given(version).isEmpty { return .version }
    try line.operands.refuse(behind: operands?.most ?? 0)
    operands?.wrappedValue = line.operands
    for option in options { try option.take(given(option), call) }
    return .run
  }

  /// The options that an unknown one was probably meant to be, or the end of the sentence.
  private func question(about unknown: String?) -> String {
    guard let unknown, unknown.hasPrefix("--") else { return "." }
    let typed = unknown.dropFirst(2).prefix { $0 != "=" }
    let near = NearbyNames.to(String(typed), among: options.map(\.name))
    return NearbyNames.question(near.map { "--\($0)" })
  }
}

// MARK: Options

/// An option of a command, with its line in the help.
protocol CommandOption: AnyObject {
  var name: String { get }
  /// The placeholder of the value in the help; nil where the option takes none.
  var placeholder: String? { get }
  var explanation: String { get }
  /// The letter that means the same behind a single hyphen.
  var letter: UInt8? { get }
  /// The values that a shell offers.
  var words: [String] { get }
  var isGiven: Bool { get }

  /// Takes what the command line says of it, which may be nothing.
  func take(_ given: [CommandLineOptions.Given], _ call: Invocation) throws(Failure)
}

extension CommandOption {
  var letter: UInt8? { nil }
  var words: [String] { [] }

  /// The option with its value, as the help shows it.
  var shown: String { placeholder.map { "--\(name) \($0)" } ?? "--\(name)" }
}

/// Options that several commands share.
protocol OptionGroup {}

/// An option that takes no value.
@propertyWrapper
final class Flag: CommandOption {
  let name: String
  let explanation: String
  private(set) var wrappedValue = false
  var placeholder: String? { nil }
  var isGiven: Bool { wrappedValue }

  init(_ name: String, _ explanation: String) {
    self.name = name
    self.explanation = explanation
  }

  func take(_ given: [CommandLineOptions.Given], _: Invocation) {
    wrappedValue = !given.isEmpty
  }
}

/// An option with a value, of which the last one counts.
@propertyWrapper
final class Option<Value>: CommandOption {
  let name: String
  let placeholder: String?
  let explanation: String
  let letter: UInt8?
  private let form: Form<Value>
  private(set) var wrappedValue: Value?
  var words: [String] { form.words }
  var isGiven: Bool { wrappedValue != nil }

  init(
    _ name: String,
    _ placeholder: String,
    _ explanation: String,
    letter: UInt8? = nil,
    as form: Form<Value>
  ) {
    self.name = name
    self.placeholder = placeholder
    self.explanation = explanation
    self.letter = letter
    self.form = form
  }

  convenience init(
    _ name: String,
    _ placeholder: String,
    _ explanation: String,
    letter: UInt8? = nil
  ) where Value == String {
    self.init(name, placeholder, explanation, letter: letter, as: .text)
  }

  func take(_ given: [CommandLineOptions.Given], _ call: Invocation) throws(Failure) {
    wrappedValue = try given.last.map { given throws(Failure) in try form.read(given, call.now) }
  }
}

/// An option with a value that may be repeated; nil where it was not given.
@propertyWrapper
final class Repeated<Value>: CommandOption {
  let name: String
  let placeholder: String?
  let explanation: String
  private let form: Form<Value>
  private(set) var wrappedValue: [Value]?
  var words: [String] { form.words }
  var isGiven: Bool { wrappedValue != nil }

  init(_ name: String, _ placeholder: String, _ explanation: String, as form: Form<Value>) {
    self.name = name
    self.placeholder = placeholder
    self.explanation = explanation
    self.form = form
  }

  convenience init(_ name: String, _ placeholder: String, _ explanation: String)
  where Value == String {
    self.init(name, placeholder, explanation, as: .text)
  }

  func take(_ given: [CommandLineOptions.Given], _ call: Invocation) throws(Failure) {
    guard !given.isEmpty else { return }
    wrappedValue = try given.map { given throws(Failure) in try form.read(given, call.now) }
  }
}

/// The words that are no options; a command without this property takes none.
@propertyWrapper
final class Operands {
  fileprivate(set) var wrappedValue: [String] = []
  fileprivate let most: Int

  init(atMost most: Int = .max) { self.most = most }
}

extension [String] {
  /// Refuses words behind so many; `rest` says more of what is expected.
  func refuse(behind count: Int, _ rest: String = "") throws(Failure) {
    guard self.count > count else { return }
    throw Failure(.usage, "\(self[count]) is not expected here\(rest).")
  }
}

// MARK: Values

/// A form in which the value of an option is written.
struct Form<Value> {
  /// The words that a shell offers.
  var words: [String] = []
  let read: (_ given: CommandLineOptions.Given, _ now: Int64) throws(Failure) -> Value
}

extension CommandLineOptions.Given {
  /// The failure of an option that expects something else.
  func mistake(_ expected: String, _ rest: String = ".") -> Failure {
    Failure(.usage, "--\(name) expects \(expected); got \(value)\(rest)")
  }
}

extension Form<String> {
  static var text: Form { text(like: []) }

  /// A text that is mostly one of these.
  static func text(like words: [String]) -> Form { Form(words: words) { given, _ in given.value } }
}

extension Form where Value: RawRepresentable<String> & CaseIterable {
  /// One of a few words.
  static var word: Form {
    let words = Value.allCases.map(\.rawValue)
    return Form(words: words) { given, _ throws(Failure) in
      if let choice = Value(rawValue: given.value) { return choice }
      throw given.mistake("one of \(words.joined(separator: ", "))")
    }
  }
}

extension Form<Int64> {
  /// A whole number.
  static func number(in bounds: ClosedRange<Int64> = .min ... .max) -> Form {
    Form { given, _ throws(Failure) in
      do throws(CommandLineOptions.Mistake) {
        return try given.number(in: bounds)
      } catch {
        throw Failure(.usage, "\(error.words).")
      }
    }
  }

  /// A moment, in microseconds since 1970.
  static var moment: Form {
    Form(words: Moment.examples) { given, now throws(Failure) in
      if let moment = Moment.parse(given.value, now: now) { return moment }
      let isPlace = given.name == "since" && EntryPlace(given.value, now: now) != nil
      throw given.mistake("a time, as \(Moment.accepted)", isPlace ? ", and --from takes it." : ".")
    }
  }
}

extension Form<EntryPlace> {
  static var place: Form {
    Form(words: Moment.examples + ["start", "now"]) { given, now throws(Failure) in
      if let place = EntryPlace(given.value, now: now) { return place }
      throw given.mistake(EntryPlace.accepted)
    }
  }
}

extension Form<Duration> {
  /// A length of time within bounds, which a complaint calls `expected`.
  static func length(in bounds: ClosedRange<Duration>, _ expected: String) -> Form {
    Form(words: Moment.lengths) { given, _ throws(Failure) in
      if let length = Moment.length(given.value), bounds ~= length { return length }
      throw given.mistake(expected)
    }
  }
}

extension String {
  /// The text, filled up with blanks to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
