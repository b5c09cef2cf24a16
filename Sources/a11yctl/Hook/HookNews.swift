// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// The news in a hook, and the announcement of it.
///
/// Claude Code and Codex name their hooks alike, Gemini has words of its own; what is not known
/// here is no news. Commands are not told, since they may hold secrets: of a tool its name is, with
/// the assistant's own description of what it is about to do, or the name of the file.
struct HookNews: Equatable {
  enum Kind: Equatable {
    /// The assistant waits until the person has answered.
    case wish
    /// The assistant, or a command, has ended, well or not.
    case end
    /// Something on the way.
    case status
  }

  let kind: Kind
  let text: String
  /// The session of the assistant, if it has named one.
  let session: String

  /// The longest hook that is read; whole files may stand in one.
  static let mostBytes = 4 << 20
  /// The shortest time of a command that is told.
  static let longCommand: Int64 = 10_000
  /// The most characters of a sentence, and of a word such as the name of a tool.
  private static let mostOfSentence = 200
  private static let mostOfWord = 60
  /// The most bytes of a session's name in a key, of which the bus takes 128.
  private static let mostOfKey = 100

  private init?(_ kind: Kind, _ text: String?, session: String = "") {
    guard let text, !text.isEmpty else { return nil }
    (self.kind, self.text, self.session) = (kind, text, session)
  }

  /// The end of a command; nil for a short one.
  init?(status: Int64, milliseconds: Int64, _ words: HookWords) {
    guard milliseconds >= Self.longCommand else { return nil }
    self.init(.end, words.commandEnd(status, after: Self.time(milliseconds / 1_000)))
  }

  /// The news in the JSON of an assistant's hook; nil where there are none, or it is no such JSON.
  init?(_ json: [UInt8], of program: HookProgram, _ words: HookWords) {
    guard json.count <= Self.mostBytes else { return nil }
    let reader = JSONReader(limit: json.count)
    guard (try? reader.read(json.span)) != nil else { return nil }
    let hook = Hook(reader.document, app: program.spoken, words)
    guard let (kind, text) = hook.news else { return nil }
    let session = hook.word("session_id") ?? hook.word("thread-id") ?? ""
    let name = String(decoding: session.utf8.prefix(Self.mostOfKey), as: UTF8.self)
    self.init(kind, text, session: name)
  }

  /// The announcement.
  ///
  /// It is a notification: its app has no window, so that it would count as one in the background
  /// wherever the person is.
  var event: Event {
    let announcement =
      switch kind {
      case .wish: Event.announcement(SpeechText(text), priority: .high, mode: .latest)
      case .end: Event.announcement(SpeechText(text), priority: .default, queue: true)
      case .status: Event.announcement(SpeechText(text), priority: .low, kind: .status)
      }
    return announcement.key(key).origin("notification")
  }

  /// One for all wishes of a session, since the same wish may come as two hooks; the assistant asks
  /// one at a time.
  private var key: String { session.isEmpty ? "\(kind)" : "\(kind) \(session)" }

  /// “2 min 5 s”.
  private static func time(_ seconds: Int64) -> String {
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  // MARK: What the hooks say

  /// A hook as it was read.
  private struct Hook: ~Escapable {
    let document: JSONDocument
    let app: String
    let words: HookWords

    @_lifetime(copy document)
    init(_ document: consuming JSONDocument, app: String, _ words: HookWords) {
      (self.document, self.app, self.words) = (document, app, words)
    }

    /// A member on one line; nil if it is missing, blank or no string.
    func word(_ name: StaticString, of object: JSONIndex = 0) -> String? {
      document.string(name, of: object).flatMap { Prose.line($0, atMost: HookNews.mostOfWord) }
    }

    func sentence(_ name: StaticString, of object: JSONIndex = 0) -> String? {
      document.string(name, of: object)
        .flatMap { Prose.firstSentence($0, atMost: HookNews.mostOfSentence) }
    }

    var news: (Kind, String)? {
      switch document.string("hook_event_name", of: 0) ?? document.string("type", of: 0) {
      case "PermissionRequest", "approval-requested": wish
      case "PreToolUse" where isQuestion: wish
      case "Elicitation", "user-input-requested": (.wish, question(sentence("message")))
      case "Notification": notification
      case "Stop": (.end, words.done(app, sentence("last_assistant_message")))
      case "AfterAgent": (.end, words.done(app, sentence("prompt_response")))
      case "agent-turn-complete": (.end, words.done(app, sentence("last-assistant-message")))
      case "StopFailure": (.end, words.failed(app, failure))
      case "PreToolUse", "PostToolUse", "BeforeTool": tool.map { (.status, $0) }
      case "AfterTool": toolEnd
      case "PostToolUseFailure":
        flag("is_interrupt") ? nil : (.status, words.failed(toolName, sentence("error")))
      case "PermissionDenied": (.status, words.refused(toolName, sentence("reason")))
      case "SubagentStop":
        (.status, words.done(word("agent_type") ?? app, sentence("last_assistant_message")))
      case "TaskCompleted": word("task_subject").map { (.status, words.done($0, nil)) }
      case "TeammateIdle": word("teammate_name").map { (.status, words.done($0, nil)) }
      default: nil
      }
    }

    private var notification: (Kind, String)? {
      let message = sentence("message")
      return switch document.string("notification_type", of: 0) {
      case "permission_prompt", "ToolPermission": (.wish, message ?? words.asksPermission(app, nil))
      case "elicitation_dialog": (.wish, question(message))
      case "idle_prompt": (.end, words.waits(app))
      case "auth_success", "elicitation_complete", "elicitation_response":
        message.map { (.status, $0) }
      // Before 2026 they had no types.
      case nil where message?.contains("permission") == true: message.map { (.wish, $0) }
      default: message.map { (.end, $0) }
      }
    }

    private var wish: (Kind, String) {
      isQuestion ? (.wish, question(firstQuestion)) : (.wish, words.asksPermission(app, tool))
    }

    private func question(_ text: String?) -> String { words.asks(app, text) }

    /// Whether the tool is the one that asks the person.
    private var isQuestion: Bool {
      ["AskUserQuestion", "ask_user", "request_user_input"].contains(word("tool_name"))
    }

    private var firstQuestion: String? {
      guard let input = document.member("tool_input", of: 0),
        let questions = document.member("questions", of: input),
        document.kind(questions) == .list, document.count(questions) > 0
      else { return nil }
      return sentence("question", of: questions + 1)
    }

    // MARK: Tools

    /// The name of the tool, and what it is about to do.
    private var tool: String? {
      guard let name = word("tool_name") else { return nil }
      return [Prose.spoken(tool: name), purpose].compactMap(\.self).joined(separator: ": ")
    }

    private var toolName: String { word("tool_name").map(Prose.spoken(tool:)) ?? app }

    private var purpose: String? {
      guard let input = document.member("tool_input", of: 0), document.kind(input) == .object
      else { return nil }
      if let description = sentence("description", of: input) { return description }
      let paths: [StaticString] = ["file_path", "notebook_path", "path", "dir_path"]
      for path in paths {
        let name = document.string(path, of: input)?.split(separator: "/").last
        if let name { return Prose.line(String(name), atMost: HookNews.mostOfWord) }
      }
      return nil
    }

    /// The end of Gemini's tool, which says itself whether it has failed.
    private var toolEnd: (Kind, String)? {
      guard let response = document.member("tool_response", of: 0),
        let error = document.member("error", of: response), document.kind(error) != .null
      else { return tool.map { (.status, $0) } }
      let words = document.kind(error) == .object ? sentence("message", of: error) : nil
      return (.status, self.words.failed(toolName, words ?? sentence("error", of: response)))
    }

    private func flag(_ name: StaticString) -> Bool {
      document.member(name, of: 0).map { document.kind($0) == .yes } ?? false
    }

    private var failure: String? {
      sentence("last_assistant_message") ?? sentence("error_details")
        ?? word("error").map(Prose.spoken)
    }
  }
}
