// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The answers of the bus to one line.
struct Answers {
  private let answers: [[UInt8]]
  private let line: [UInt8]?
  private let readers: Readers
  /// Statistics, which the shell would render.
  private let isForTheShell: Bool

  /// The answers to `line`; to one that was too long to be looked at where it is nil.
  init(_ answers: [String], to line: [UInt8]?, _ readers: Readers) {
    self.answers = answers.filter { $0 != "stats" }.map { Array($0.utf8) }
    isForTheShell = answers.contains("stats")
    self.line = line
    self.readers = readers
  }

  func check() throws(Broken) {
    var replies = 0
    for answer in answers {
      try demand(replies == 0, "something is said behind the reply: \(words)")
      if try isReply(answer) { replies += 1 }
    }
    guard let line else {
      return try demand(replies == 1, "a line that is too long gets no reply")
    }
    let request = readers.request
    do throws(JSONFault) { try request.read(line.span) } catch {
      let isBlank = line.allSatisfy { [9, 13, 32].contains($0) }
      return try demand(replies == (isBlank ? 0 : 1), "what cannot be read gets: \(words)")
    }
    if isForTheShell { return try demand(replies == 0, "beside statistics: \(words)") }
    if Self.hasID(request.document) { try demand(replies == 1, "a request with an id: \(words)") }
    try demand(
      line.contains(0xef) || !words.contains("\u{fffd}") || words.contains("\\u"),
      "a reply is not UTF-8: \(words)"
    )
  }

  private var words: String { answers.map { String(decoding: $0, as: UTF8.self) }.joined() }

  /// Whether the answer is the reply, and not a warning before it; throws where it is neither.
  private func isReply(_ answer: [UInt8]) throws(Broken) -> Bool {
    try demand(answer.last == 10 && !answer.dropLast().contains(10), "no line: \(words)")
    let reader = readers.answer
    let bare = Array(answer.dropLast())
    do throws(JSONFault) { try reader.read(bare.span) } catch {
      throw Broken("not JSON, \(error.words): \(words)")
    }
    let reply = reader.document
    if reply.member("warn", of: reply.root) != nil {
      try demand(reply.count(reply.root) == 2, "not a warning and its id: \(words)")
      try demand(reply.member("id", of: reply.root) != nil, "no id: \(words)")
      return false
    }
    let (accepted, refused) = (reply.member("ok", of: 0), reply.member("err", of: 0))
    try demand((accepted == nil) != (refused == nil), "neither or both: \(words)")
    try demand(reply.count(reply.root) == 2, "something beside it: \(words)")
    guard let id = reply.member("id", of: reply.root) else { throw Broken("no id: \(words)") }
    if let refused {
      let code = reply.string("code", of: refused).flatMap(RefusalCode.init)
      try demand(code != nil && code != .internal, "the code: \(words)")
      try demand(reply.string("msg", of: refused)?.isEmpty == false, "no message: \(words)")
    }
    try check(id, in: reply, isRefused: refused != nil)
    return true
  }

  /// The id is the one that was asked with, and null is for errors.
  private func check(
    _ id: JSONIndex,
    in reply: borrowing JSONDocument,
    isRefused: Bool
  ) throws(Broken) {
    let request = readers.request
    var asked: JSONIndex?
    if let line, (try? request.read(line.span)) != nil {
      asked = request.document.member("id", of: 0)
    }
    guard reply.kind(id) != .null else {
      try demand(isRefused, "a success without an id is told: \(words)")
      return
    }
    guard let asked else { throw Broken("nobody asked with this id: \(words)") }
    let wanted = request.document
    try demand(
      reply.integer(id) == wanted.integer(asked)
        && reply.stringIfAny(id).map { Array($0.utf8) }
          == wanted.stringIfAny(asked).map { Array($0.utf8) },
      "another id: \(words)"
    )
  }

  private static func hasID(_ request: borrowing JSONDocument) -> Bool {
    guard let id = request.member("id", of: request.root) else { return false }
    if request.integer(id) != nil { return true }
    guard request.kind(id) == .string else { return false }
    return (1...Limits.idBytes).contains(request.byteCount(id))
  }
}
