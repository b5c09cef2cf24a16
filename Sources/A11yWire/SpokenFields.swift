// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What decides how the text of an event is judged, found in one walk over its fields.
package struct SpokenFields {
  package private(set) var text: JSONIndex?
  package private(set) var isHigh = false
  package private(set) var isChat = false
  package private(set) var isSensitive = false

  package init(of event: JSONIndex, in line: JSONDocument) {
    var key = event + 1
    let end = line.end(event)
    while key < end {
      let value = key + 1
      if line.isKey(key, "text") {
        text = value
      } else if line.isKey(key, "priority") {
        isHigh = line.kind(value) == .string && line.isKey(value, "high")
      } else if line.isKey(key, "class") {
        isChat = line.kind(value) == .string && line.isKey(value, "chat")
      } else if line.isKey(key, "sensitive") {
        isSensitive = line.kind(value) == .yes
      }
      key = line.end(value)
    }
  }
}
