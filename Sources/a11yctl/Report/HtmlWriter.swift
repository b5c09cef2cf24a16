// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Writes HTML by its structure, so that every element is closed and every text is escaped.
struct HtmlWriter: ~Copyable {
  typealias Attributes = KeyValuePairs<StaticString, String>

  private var out: ByteBuffer

  init(capacity: Int) { out = ByteBuffer(capacity: capacity) }

  /// An element with content.
  mutating func element(
    _ name: StaticString,
    _ attributes: Attributes = [:],
    _ content: (inout HtmlWriter) -> Void
  ) {
    startTag(name, attributes)
    content(&self)
    out.append("</")
    out.append(name)
    out.append(">")
  }

  /// An element with a text.
  mutating func element(_ name: StaticString, _ attributes: Attributes, _ words: String) {
    element(name, attributes) { $0.prose(words) }
  }

  /// An element with a text and nothing else.
  mutating func element(_ name: StaticString, _ words: String) { element(name, [:], words) }

  /// An element that has no content and no end.
  mutating func startTag(_ name: StaticString, _ attributes: Attributes = [:]) {
    out.append("<")
    out.append(name)
    for (name, value) in attributes {
      out.append(" ")
      out.append(name)
      out.append("=\"")
      escape(value)
      out.append("\"")
    }
    out.append(">")
  }

  /// An element of a drawing that has no content.
  mutating func mark(_ name: StaticString, _ attributes: Attributes) {
    startTag(name, attributes)
    out.append("</")
    out.append(name)
    out.append(">")
  }

  /// A text.
  mutating func prose(_ text: String) { escape(text) }

  /// Markup of the program's own.
  mutating func markup(_ text: String) { out.append(text: text) }

  /// The page, when all is written.
  consuming func finished() -> ByteBuffer { out }

  mutating func endLine() { out.append("\n") }

  private mutating func escape(_ text: String) {
    // Characters that cannot be seen would be errors of the page, or turn its text around.
    let text = VisibleText.of(text)
    if !text.utf8.contains(where: { $0 == 38 || $0 == 60 || $0 == 62 || $0 == 34 }) {
      out.append(text: text)
      return
    }
    for byte in text.utf8 {
      switch byte {
      case 38: out.append("&amp;")
      case 60: out.append("&lt;")
      case 62: out.append("&gt;")
      case 34: out.append("&quot;")
      default: out.append(byte: byte)
      }
    }
  }
}
