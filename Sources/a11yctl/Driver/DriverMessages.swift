// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The errors of AT Driver.
enum DriverError: String, Error {
  case invalidArgument = "invalid argument"
  case invalidSession = "invalid session id"
  case unknownCommand = "unknown command"
  case sessionNotCreated = "session not created"
  case unknownIntent = "unknown user intent"
  case noKeyboard = "cannot simulate keyboard interaction"
}

/// A refusal of a command, in the protocol's word and in a sentence.
struct DriverRefusal: Error, Equatable {
  let error: DriverError
  let words: String

  init(_ error: DriverError, _ words: String) { (self.error, self.words) = (error, words) }
}

/// A command of AT Driver, as the page of the W3C defines it.
enum DriverCommand: Equatable {
  case newSession(wanted: [JSONValue.Member])
  case setSettings([(name: String, value: JSONValue)])
  case getSettings([String])
  case getSupportedSettings
  case pressKeys([String])
  /// A wish of the user that is not known here.
  case otherIntent(String)

  static func == (one: DriverCommand, other: DriverCommand) -> Bool {
    "\(one)" == "\(other)"
  }

  /// The names of all commands.
  static let names = [
    "session.new", "settings.setSettings", "settings.getSettings", "settings.getSupportedSettings",
    "interaction.userIntent",
  ]

  /// Whether it needs no session.
  var isStatic: Bool { if case .newSession = self { true } else { false } }

  /// Reads the command of this name; nil where the parameters are not those of its definition.
  fileprivate init?(_ method: String, _ params: JSONValue) {
    guard let members = params.members else { return nil }
    switch method {
    case "session.new":
      guard let wanted = Self.capabilities(members) else { return nil }
      self = .newSession(wanted: wanted)
    case "settings.setSettings":
      let items = Self.items(members) { item in
        item["name"]?.string.flatMap { name in item["value"].map { (name: name, value: $0) } }
      }
      guard let items else { return nil }
      self = .setSettings(items)
    case "settings.getSettings":
      guard let names = Self.items(members, { $0["name"]?.string }) else { return nil }
      self = .getSettings(names)
    case "settings.getSupportedSettings": self = .getSupportedSettings
    case "interaction.userIntent":
      guard let name = params["name"]?.string else { return nil }
      guard name == "pressKeys" else {
        self = .otherIntent(name)
        return
      }
      let keys = params["keys"]?.list ?? []
      let texts = keys.compactMap(\.string)
      guard !keys.isEmpty, texts.count == keys.count else { return nil }
      self = .pressKeys(texts)
    default: return nil
    }
  }

  /// The capabilities that a session must have; nil where they are no such.
  ///
  /// The definition asks for `capabilities`, and the algorithm takes parameters without; so do we.
  private static func capabilities(_ members: [JSONValue.Member]) -> [JSONValue.Member]? {
    guard members.allSatisfy({ $0.name == "capabilities" }) else { return nil }
    guard let capabilities = members.first?.value else { return [] }
    guard let parts = capabilities.members, parts.allSatisfy({ $0.name == "alwaysMatch" })
    else { return nil }
    guard let always = parts.first?.value else { return [] }
    guard let wanted = always.members else { return nil }
    let texts = ["atName", "atVersion", "platformName"]
    let isGood = wanted.allSatisfy { !texts.contains($0.name) || $0.value.string != nil }
    return isGood ? wanted : nil
  }

  /// The items of the one list `settings`; nil where it is empty or one is not as it should be.
  private static func items<Item>(
    _ members: [JSONValue.Member],
    _ read: (JSONValue) -> Item?
  ) -> [Item]? {
    guard members.count == 1, members[0].name == "settings", let list = members[0].value.list,
      !list.isEmpty
    else { return nil }
    let items = list.compactMap(read)
    return items.count == list.count ? items : nil
  }
}

/// A message of a client as it is understood.
enum DriverRequest: Equatable {
  case command(id: Int64, DriverCommand)
  case refused(id: Int64?, DriverRefusal)

  /// Reads a text message.
  init(_ text: String) {
    guard let value = JSONValue(json: text) else {
      self = .refused(id: nil, DriverRefusal(.invalidArgument, "The message is no JSON."))
      return
    }
    let id = value["id"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    guard value.members != nil, let method = value["method"]?.string else {
      let words = "A command is an object with id, method and params."
      self = .refused(id: id, DriverRefusal(.invalidArgument, words))
      return
    }
    guard DriverCommand.names.contains(method) else {
      let words = "There is no command of this name. The commands are "
      let names = DriverCommand.names.joined(separator: ", ")
      self = .refused(id: id, DriverRefusal(.unknownCommand, "\(words)\(names)."))
      return
    }
    guard let id else {
      let words = "The id of a command is a whole number, 0 or above."
      self = .refused(id: nil, DriverRefusal(.invalidArgument, words))
      return
    }
    guard let command = value["params"].flatMap({ DriverCommand(method, $0) }) else {
      let words = "The params are not those of \(method)."
      self = .refused(id: id, DriverRefusal(.invalidArgument, words))
      return
    }
    self = .command(id: id, command)
  }
}

/// The messages to a client.
enum DriverMessage {
  static func result(_ id: Int64, _ result: JSONValue) -> JSONValue {
    ["id": .integer(id), "result": result]
  }

  static func refusal(_ id: Int64?, _ refusal: DriverRefusal) -> JSONValue {
    [
      "id": id.map { .integer($0) } ?? .null, "error": .string(refusal.error.rawValue),
      "message": .string(refusal.words),
    ]
  }

  /// What is spoken.
  static func capturedOutput(_ text: String) -> JSONValue {
    ["method": "interaction.capturedOutput", "params": ["data": .string(text)]]
  }

  /// What is not spoken, or not for the ears of others, with the reason.
  static func withheldOutput(_ text: String, reason: String, seq: Int64) -> JSONValue {
    [
      "method": "a11yd:speech.withheldOutput",
      "params": ["text": .string(text), "reason": .string(reason), "seq": .integer(seq)],
    ]
  }
}

/// What the driver says of itself, and what a session may ask it to be.
struct DriverCapabilities {
  let version: String
  private static let name = "a11yd"
  private static let platform = "linux"

  /// The capabilities of a session that wants these; nil where one is not there.
  func matched(_ wanted: [JSONValue.Member]) -> JSONValue? {
    var matched: [JSONValue.Member] = [
      .init("atName", .string(Self.name)), .init("atVersion", .string(version)),
      .init("platformName", .string(Self.platform)),
    ]
    for want in wanted {
      switch want.name {
      case "atName": guard want.value.string == Self.name else { return nil }
      case "platformName": guard want.value.string == Self.platform else { return nil }
      case "atVersion": guard isVersion(want.value.string ?? "") else { return nil }
      // What belongs to another implementation is not here.
      case let name where name.contains(":"): return nil
      default:
        matched.removeAll { $0.name == want.name }
        matched.append(want)
      }
    }
    return .object(matched)
  }

  /// Whether the version meets a wish, as in `>=1.2`, or is the one that is named.
  private func isVersion(_ wish: String) -> Bool {
    let sign = wish.prefix { "<>=".contains($0) }
    let named = wish.dropFirst(sign.count).drop { $0 == " " }
    let (ours, theirs) = (Self.numbers(version[...]), Self.numbers(named))
    let isBelow = ours.lexicographicallyPrecedes(theirs)
    let isAbove = theirs.lexicographicallyPrecedes(ours)
    return switch sign {
    case "<": isBelow
    case "<=": !isAbove
    case ">": isAbove
    case ">=": !isBelow
    case "": !isBelow && !isAbove
    default: false
    }
  }

  private static func numbers(_ version: Substring) -> [Int] {
    var numbers = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    while numbers.last == 0 { numbers.removeLast() }
    return numbers
  }
}
