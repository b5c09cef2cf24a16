// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPlay
import A11yPosix
import A11yWire

/// The texts that were heard, in their order, by the entries of a log.
struct Hearing {
  /// A delivery to the reader that speaks.
  struct Utterance: Equatable {
    /// When it was given to the reader, in microseconds of the bus clock.
    let mono: Int64
    /// The text on one line, with `…` for secret words; empty for a sound alone.
    let text: String
    /// The text with sounds and manners of speaking, as `a11yctl listen` shows it.
    let line: String
    /// The milliseconds after which it was cut off, if it was.
    fileprivate(set) var cutAfter: Int64?
  }

  private(set) var utterances: [Utterance] = []
  /// The last deliveries, by which reports name them.
  private var places: [Int64: Int] = [:]
  /// The most deliveries whose end is awaited; one at a time is with the reader.
  private static let awaited = 256

  private let reader = JSONReader(limit: Limits.answerBytes)

  /// Notes the next line of a log; marks and other entries are passed over.
  mutating func heed(_ line: Span<UInt8>) {
    guard let seq = Seq(of: line), let type = EnvelopePeek.type(in: line) else { return }
    let isDelivery = line.extracting(type).equals("deliver")
    guard isDelivery || line.extracting(type).equals("speech") else { return }
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return }
    guard let entry = try? Entry(seq.number, reader.document) else { return }
    if isDelivery { add(entry) } else { noteReport(entry) }
  }

  private mutating func add(_ entry: Entry) {
    guard let delivery = entry.delivery, delivery.to != nil else { return }
    let line = SpeechWords(delivery).line
    guard !line.isEmpty else { return }
    let runs = entry.event["speak"]?.list ?? []
    let words = runs.map { $0["text"]?.string ?? ($0["redacted"] == nil ? "" : "…") }.joined()
    if places.count >= Self.awaited { places = [:] }
    places[entry.seq] = utterances.count
    let text = VisibleText.of(ExpectedTexts.tidied(words))
    utterances.append(Utterance(mono: entry.mono, text: text, line: line))
  }

  private mutating func noteReport(_ entry: Entry) {
    guard let of = entry.integer("of"), let place = places[of] else { return }
    switch entry.string("state") {
    case SpeechState.interrupted.rawValue:
      utterances[place].cutAfter = entry.integer("heard_ms") ?? 0
      places[of] = nil
    case SpeechState.finished.rawValue: places[of] = nil
    default: break
    }
  }
}

extension Hearing.Utterance {
  /// The time since a moment and the words, as a line.
  func line(since start: Int64) -> String {
    let cut = cutAfter.map { " (interrupted after \(Self.seconds($0 * 1_000)))" } ?? ""
    return "\(Self.seconds(mono - start)): \(line)\(cut)"
  }

  /// A time in seconds, with two digits behind the point.
  static func seconds(_ microseconds: Int64) -> String {
    let hundredths = (max(0, microseconds) + 5_000) / 10_000
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }
}
