// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11ySpeech

/// The way of a client's messages to speech-dispatcher itself, where the bus is not there.
///
/// The client's settings go before its messages, so that it is heard as without us; its answers are
/// still ours.
struct DirectLine {
  /// The news of a message.
  enum News: Equatable {
    case begun(Int)
    case mark(Int, String)
    case ended(Int)
    case cancelled(Int)
    case paused(Int)
    case resumed(Int)
  }

  private let name: SsipClientName?
  private var dialogue = SsipDialogue()
  private var reader = SsipReader()
  /// What is to be done when the line stands, the first first.
  private var errands: [Errand] = []
  /// Whether there is a connection.
  private(set) var isOpen = false
  /// What the server was told last.
  private var told: (voice: SsipVoice, priority: SsipPriority, block: Int?)?
  /// The message that is being handed over.
  private var giving: DoorMessage?
  /// Our numbers of messages by the server's.
  private var ids: [Int: Int] = [:]
  /// Events that came before the number of their message.
  private var early: [SsipMessage] = []

  /// Events that wait for a number.
  private static let mostEarly = 64

  private enum Errand {
    case say(DoorMessage)
    case order(String)
  }

  init(_ name: SsipClientName?) { self.name = name }

  /// The moment by which the server has to answer.
  var due: Int64? { dialogue.due }

  // MARK: Errands

  /// Has a message spoken; what is to be sent.
  mutating func say(_ message: DoorMessage, at now: Int64) -> String {
    errands.append(.say(message))
    return proceed(at: now)
  }

  /// Has the server do something that is about all messages, as PAUSE.
  mutating func order(_ command: String, at now: Int64) -> String {
    errands.append(.order("\(command) SELF"))
    return proceed(at: now)
  }

  /// Forgets messages that the server has not been given; it tells the end of all others.
  mutating func forgetWaiting() -> [Int] {
    let waiting = errands
    errands = []
    return waiting.compactMap { errand in
      guard case .say(let message) = errand else { return nil }
      return message.id
    }
  }

  /// The line stands.
  mutating func open(at now: Int64) -> String {
    isOpen = true
    var text = ""
    if let name { text += ask(.set("CLIENT_NAME \(name.whole)"), at: now) }
    text += ask(.set("NOTIFICATION ALL ON"), at: now)
    return text + proceed(at: now)
  }

  private mutating func ask(_ command: SsipDialogue.Command, at now: Int64) -> String {
    dialogue.ask(command, at: now) ?? ""
  }

  /// Goes on with the next errand, where nothing is under way.
  private mutating func proceed(at now: Int64) -> String {
    var text = ""
    while isOpen, giving == nil, !errands.isEmpty {
      switch errands.removeFirst() {
      case .order(let line): text += ask(.order(line), at: now)
      case .say(let message):
        text += prepare(for: message, at: now)
        giving = message
        switch message.content {
        case .text: text += ask(.speak, at: now)
        case .word: text += ask(Self.last(of: message), at: now)
        }
      }
    }
    return text
  }

  /// Brings the server's settings to those of a message.
  private mutating func prepare(for message: DoorMessage, at now: Int64) -> String {
    var text = ""
    if let told, told.block != nil, told.block != message.block {
      text += ask(.order("BLOCK END"), at: now)
    }
    if told?.priority != message.priority {
      text += ask(.set("PRIORITY \(message.priority.rawValue)"), at: now)
    }
    for command in message.voice.commands(after: told?.voice) {
      text += ask(.set(command), at: now)
    }
    if message.block != nil, told?.block != message.block {
      text += ask(.order("BLOCK BEGIN"), at: now)
    }
    told = (message.voice, message.priority, message.block)
    return text
  }

  // MARK: Answers

  /// Takes what the server has sent; nil where it is not SSIP.
  mutating func hear(_ bytes: [UInt8], at now: Int64) -> (news: [News], text: String)? {
    guard let messages = reader.messages(in: bytes) else { return nil }
    var news: [News] = []
    var text = ""
    for message in messages {
      if (700..<800).contains(message.code) {
        if let one = translate(message) { news.append(one) }
      } else {
        text += take(message, into: &news, at: now)
      }
    }
    return (news, text)
  }

  private mutating func translate(_ message: SsipMessage) -> News? {
    guard let number = message.details.first.flatMap({ Int($0) }) else { return nil }
    guard let id = ids[number] else {
      if giving != nil, early.count < Self.mostEarly { early.append(message) }
      return nil
    }
    switch message.code {
    case 700: return .mark(id, message.details.count > 2 ? message.details[2] : "")
    case 701: return .begun(id)
    case 702: return .ended(id)
    case 703: return .cancelled(id)
    case 704: return .paused(id)
    case 705: return .resumed(id)
    default: return nil
    }
  }

  private mutating func take(
    _ reply: SsipMessage,
    into news: inout [News],
    at now: Int64
  ) -> String {
    let command = dialogue.answer()
    guard let message = giving else { return continued(at: now) }
    if command == .speak, case .text(let words) = message.content, reply.isSuccess {
      return dialogue.give(Self.lines(of: words), at: now) ?? ""
    }
    guard command == .speak || command == Self.last(of: message) else {
      return continued(at: now)
    }
    giving = nil
    let waiting = early
    early = []
    if reply.isSuccess, let number = reply.details.first.flatMap({ Int($0) }) {
      ids[number] = message.id
      news += waiting.compactMap { translate($0) }
    } else {
      // An empty one, for example, which has no events.
      news.append(.cancelled(message.id))
    }
    return continued(at: now)
  }

  /// The command whose answer is the number of a message.
  private static func last(of message: DoorMessage) -> SsipDialogue.Command {
    switch message.content {
    case .text(let words): .text(lines(of: words))
    case .word(let kind, let word): .order("\(kind.command) \(word == " " ? "space" : word)")
    }
  }

  private mutating func continued(at now: Int64) -> String {
    (dialogue.sendNext(at: now) ?? "") + proceed(at: now)
  }

  /// A text as it stands between SPEAK and the dot.
  private static func lines(of text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.first == "." ? ".\($0)" : "\($0)" }
      .joined(separator: "\r\n")
  }
}

extension SsipUtterance {
  /// The command by which a client says it.
  fileprivate var command: String {
    switch self {
    case .character: "CHAR"
    case .key: "KEY"
    case .icon: "SOUND_ICON"
    }
  }
}

/// The questions to speech-dispatcher whose answers the door keeps.
struct Inquiry {
  /// The synthesizer that a question is about; nil for the server's own.
  struct Question: Hashable {
    let module: String?
    let line: String

    /// What the server has for a connection that has set nothing.
    static func value(_ question: SsipQuestion) -> Question {
      Question(module: nil, line: "GET \(question.rawValue.uppercased())")
    }
  }

  private var dialogue = SsipDialogue()
  private var reader = SsipReader()
  private var asked: [Question] = []
  private(set) var isOpen = false

  /// The answers; a failure is one, too.
  private(set) var answers: [Question: SsipReply] = [:]
  /// Answers that are kept; then all are asked anew.
  private static let most = 128

  var isIdle: Bool { asked.isEmpty }
  var due: Int64? { dialogue.due }

  /// Asks, unless it is known; what is to be sent.
  mutating func ask(_ question: Question, at now: Int64) -> String {
    guard answers[question] == nil, !asked.contains(question) else { return "" }
    if answers.count >= Self.most { answers = [:] }
    asked.append(question)
    return isOpen && asked.count == 1 ? sendFirst(at: now) : ""
  }

  mutating func open(at now: Int64) -> String {
    isOpen = true
    return sendFirst(at: now)
  }

  private mutating func sendFirst(at now: Int64) -> String {
    guard let question = asked.first else { return "" }
    var text = ""
    if let module = question.module {
      text += dialogue.ask(.set("OUTPUT_MODULE \(module)"), at: now) ?? ""
    }
    return text + (dialogue.ask(.order(question.line), at: now) ?? "")
  }

  /// Takes what the server has sent; nil where it is not SSIP.
  mutating func hear(_ bytes: [UInt8], at now: Int64) -> String? {
    guard let messages = reader.messages(in: bytes) else { return nil }
    var text = ""
    for message in messages where message.code < 700 {
      if case .order? = dialogue.answer(), !asked.isEmpty {
        answers[asked.removeFirst()] = SsipReply(message.code, message.words)
          .telling(message.details)
        text += sendFirst(at: now)
      }
      text += dialogue.sendNext(at: now) ?? ""
    }
    return text
  }

  /// Gives all questions up that have no answer; the server may be asked again later.
  mutating func close() {
    (dialogue, reader, asked, isOpen) = (SsipDialogue(), SsipReader(), [], false)
  }

  /// Forgets everything, for the server may have changed.
  mutating func forget() { answers = [:] }
}
