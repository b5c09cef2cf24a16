// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// One entry of the log, before anybody has decided where it goes.
package struct JournalEntry {
  package var priority: LogLevel
  package var message: String
  package var messageID: MessageID?
  /// Fields of our own, with their full names ("BUS_SEQ").
  package var fields: [(name: String, value: String)]
  package var place: SourcePlace

  package init(
    priority: LogLevel,
    message: String,
    messageID: MessageID?,
    fields: [(name: String, value: String)],
    place: SourcePlace
  ) {
    for field in fields {
      precondition(JournalEntry.isOurs(field.name), "our fields are BUS_ and capital letters")
    }
    self.priority = priority
    self.message = message
    self.messageID = messageID
    self.fields = fields
    self.place = place
  }

  /// The entry as the journal takes it: one "NAME=value" for each field, values as they are.
  package var items: [String] {
    var items = ["MESSAGE=\(message)", "PRIORITY=\(priority.rawValue)"]
    if let messageID { items.append("MESSAGE_ID=\(messageID.digits)") }
    items.append("CODE_FILE=\(place.file)")
    items.append("CODE_LINE=\(place.line)")
    items.append("CODE_FUNC=\(place.function)")
    for field in fields { items.append("\(field.name)=\(field.value)") }
    return items
  }

  /// The entry as one line of text, led by the priority where the reader understands that.
  package func line(prefixed: Bool) -> String {
    let text = VisibleText.of(message)
    return prefixed ? "<\(priority.rawValue)>\(text)\n" : "\(text)\n"
  }

  /// At most 64 of A-Z and "_" within our own prefix.
  ///
  /// The journal allows digits too, but does not
  /// replace a name with one in the text of a catalog.
  private static func isOurs(_ name: String) -> Bool {
    guard name.hasPrefix("BUS_"), name.utf8.count <= 64 else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      default: byte == UInt8(ascii: "_")
      }
    }
  }
}

/// The place in the source at which an entry is written.
package struct SourcePlace: Hashable, Sendable {
  package let file: String
  package let line: Int
  package let function: String

  package init(file: String, line: Int, function: String) {
    self.file = file
    self.line = line
    self.function = function
  }
}
