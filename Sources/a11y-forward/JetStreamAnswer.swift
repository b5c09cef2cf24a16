// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward
import A11yWire

/// The answer of JetStream to a request about a stream.
struct JetStreamAnswer {
  /// Codes of JetStream, which its documentation lists.
  enum Code {
    static let noMessage: Int64 = 10_037
    static let noStream: Int64 = 10_059
    /// A stream or consumer of this name is there, with other settings.
    static let otherSettings: Int64 = 10_058
    /// The last number of the stream or of the subject is another, or is not known while messages
    /// before it are under way.
    static let wrongLast: [Int64] = [10_070, 10_071, 10_164]
    /// The stream allows no batches, or none so large.
    static let noBatches: [Int64] = [10_174, 10_199]
    /// The leader is another than a moment ago, or too many batches are under way.
    static let noBatchNow: [Int64] = [10_176, 10_210]
  }

  let content: JSONValue

  init(_ bytes: [UInt8]) throws(ForwardFailure) {
    guard let content = JSONValue(json: String(decoding: bytes, as: UTF8.self)) else {
      throw .engine("it answers in words that are no JSON")
    }
    self.content = content
  }

  /// The number of the mistake, where there is one.
  var code: Int64? { content["error"]?["err_code"]?.integer }

  /// The mistake in words.
  var refusal: String? {
    guard let error = content["error"] else { return nil }
    return error["description"]?.string ?? "it refuses"
  }
}

/// A message of a stream.
struct StoredMessage {
  /// Its number in the stream.
  let number: Int64
  let line: [UInt8]
  let epoch: String

  private static let epochHeader = "A11yd-Epoch:"

  init(number: Int64, line: [UInt8], epoch: String) {
    (self.number, self.line, self.epoch) = (number, line, epoch)
  }

  init(_ answer: JetStreamAnswer) throws(ForwardFailure) {
    if let words = answer.refusal { throw .engine(words) }
    let message = answer.content["message"]
    guard let number = message?["seq"]?.integer?.ifReachable,
      let line = Base64.decode(message?["data"]?.string ?? ""),
      let headers = Base64.decode(message?["hdrs"]?.string ?? "")
    else { throw .engine("it answers without a message") }
    let lines = String(decoding: headers, as: UTF8.self).split(separator: "\r\n")
    let header = lines.first { $0.hasPrefix(Self.epochHeader) }
    let epoch = header.map { $0.dropFirst(Self.epochHeader.utf8.count).drop { $0 == " " } } ?? ""
    self.init(number: number, line: line, epoch: String(epoch))
  }

  var isGap: Bool { EngineLine(line)?.isGap ?? false }

  /// The place in the log; nil where the line is none of ours.
  func storedPlace(in epochs: EpochLine) -> StoredPlace? {
    EngineLine(line).map { line in
      StoredPlace(epoch: epochs.starts.firstIndex { $0.epoch == epoch } ?? -1, seq: line.seq)
    }
  }
}

/// A place in the log; messages of an earlier life of it come first.
struct StoredPlace: Comparable {
  let epoch: Int
  let seq: Int64

  init(epoch: Int, seq: Int64) {
    self.epoch = epoch
    self.seq = seq
  }

  init(_ seq: Int64, _ epochs: EpochLine) {
    self.init(epoch: epochs.index(of: seq), seq: seq)
  }

  static func < (a: StoredPlace, b: StoredPlace) -> Bool {
    (a.epoch, a.seq) < (b.epoch, b.seq)
  }
}

/// The answer of JetStream to a message.
enum PublishAnswer {
  /// The message waits for the rest of its batch.
  case staged
  /// The number in the stream, of a batch that of its last message.
  case taken(Int64)
  case refused(code: Int64, words: String)

  init(_ bytes: [UInt8]) throws(ForwardFailure) {
    if bytes.isEmpty {
      self = .staged
      return
    }
    let answer = try JetStreamAnswer(bytes)
    if let words = answer.refusal {
      self = .refused(code: answer.code ?? 0, words: words)
    } else if let number = answer.content["seq"]?.integer?.ifReachable {
      self = .taken(number)
    } else {
      throw .engine("it answers without a number")
    }
  }
}
