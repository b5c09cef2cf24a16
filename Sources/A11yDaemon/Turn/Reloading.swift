// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
package import A11yToml
import A11yWire

/// How often configuration and rules were read again, and how the last time ended.
package struct Reloads: Equatable, Sendable {
  package private(set) var count: Int64 = 0
  /// Why something is not in force that stands in a file.
  package private(set) var refused: String?

  package init() {}

  /// The answer to `stats` has room for the beginning of a long list.
  private static let shown = 8_192

  /// Notes the mistakes that were found at the start.
  package mutating func begin(refused reason: String?) {
    refused = reason?.shortened(toScalars: Self.shown)
  }

  package mutating func reloaded(refused reason: String?) {
    count += 1
    refused = reason?.shortened(toScalars: Self.shown)
  }
}

// Requests to read configuration and rules again. The bus knows who has asked; the files are those
// of the process around it.
extension Bus {
  /// Whether somebody waits for configuration and rules to be read again.
  package var wantsReload: Bool { !reloading.isEmpty }

  /// Notes that a connection waits.
  func awaitReload(_ connection: ClientConnection) {
    guard !reloading.contains(where: { $0 === connection }) else { return }
    reloading.append(connection)
  }

  /// Answers all who wait: the files were read after the last of them had asked.
  package func answerReloads(_ mistakes: [Complaint]) {
    let answered = reloading
    reloading = []
    for connection in answered {
      if case .reload(let id) = connection.session.errand {
        writeAnswer(to: id, mistakes)
        output.deliver(to: connection)
      }
      endErrand(of: connection)
    }
    seeOff()
  }

  /// More of them nobody reads in one answer.
  private static let toldMistakes = 100
  /// Bytes behind which no further mistake is told: with the last one, and whatever it quotes, half
  /// of what a line may have.
  private static let toldBytes = 122_880

  private func writeAnswer(to id: [UInt8], _ mistakes: [Complaint]) {
    guard !id.isEmpty else { return }
    output.bytes.object { out in
      out.append(member: "id")
      out.append(id.span)
      out.object("ok") { out in
        out.append(member: "rules", broker.rulesEntry.number)
        var told = 0
        out.array("problems") { out in
          let end = out.count + Self.toldBytes
          for mistake in mistakes.prefix(Self.toldMistakes) where out.count < end {
            out.nextObject { mistake.appendMembers(to: &$0) }
            told += 1
          }
        }
        let more = mistakes.count - told
        if more > 0 { out.append(member: "more_problems", Int64(more)) }
      }
    }
    output.bytes.append("\n")
  }
}

extension Complaint {
  fileprivate func appendMembers(to out: inout ByteBuffer) {
    out.append(member: "file", fileName)
    if let line { out.append(member: "line", Int64(line)) }
    if let column { out.append(member: "column", Int64(column)) }
    out.append(member: "msg", words)
  }
}
