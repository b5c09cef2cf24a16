// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yBroker
import A11yPlay
import A11yPosix
import A11yWire

/// The result of deciding a log anew, as lines that read well aloud.
enum ReplayWords {
  /// The lines for a log without a difference.
  static func lines(compared: Int64, believed: Int64) -> [String] {
    var lines = [
      compared == 0
        ? "The log has no decisions."
        : "\(SeqWords.count(compared, "decision was", "decisions were")) made anew,"
          + " and came out as on record."
    ]
    if believed > 0 {
      lines.append(
        "\(SeqWords.count(believed, "decision", "decisions")) could not be checked, because an"
          + " entry that led to them is missing or was forgotten."
      )
    }
    return lines
  }

  static func lines(_ divergence: Replay.Divergence) -> [String] {
    var lines = ["At entry \(divergence.seq.number) the log differs from what its rules decide."]
    if let recorded = divergence.recorded {
      lines.append("The log says: \(sentence(recorded)).")
      lines.append(recorded.span.string)
    } else {
      lines.append("The log says nothing more.")
    }
    if let decided = divergence.decided {
      lines.append("The rules decide: \(sentence(decided)).")
      lines.append(decided.span.string)
    } else {
      lines.append("The rules decide nothing here.")
    }
    return lines.map(VisibleText.of)
  }

  /// A stored line as a sentence, without its seq and time.
  static func sentence(_ line: [UInt8]) -> String {
    guard let entry = entry(line) else { return "a line that cannot be understood" }
    return EntryWords.sentence(entry)
  }

  static func entry(_ line: [UInt8]) -> Entry? {
    let reader = JSONReader(limit: Limits.answerBytes)
    guard let seq = LineSeq.of(line.span) else { return nil }
    do throws(JSONFault) { try reader.read(line.span) } catch { return nil }
    do throws(ClientError) {
      return try Entry(seq.number, reader.document)
    } catch {
      return nil
    }
  }
}
