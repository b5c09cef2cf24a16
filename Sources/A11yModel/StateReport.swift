// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// What clients are told of the model.
extension Model {
  /// Appends the state as the protocol has it: the model right after the entry that `cursor` names.
  ///
  /// An app is shown what is its own: the windows of others, and a focus there, are nothing to it.
  /// What waits to be spoken is not the model's to know; `pending` appends it as a list.
  public func writeState(
    cursor: Cursor,
    only app: AppKey?,
    into out: inout ByteBuffer,
    pending: (inout ByteBuffer) -> Void
  ) {
    out.append("{")
    out.append(member: "cursor", cursor.text)
    out.append(member: "focus")
    writeFocus(
      focus.flatMap { app == nil || $0.place.app == app ? $0 : nil },
      only: app,
      into: &out
    )
    out.append(member: "windows")
    out.append("[")
    var isFirst = true
    for (place, window) in windows where app == nil || place.app == app {
      if !isFirst { out.append(",") }
      isFirst = false
      writeWindow(window, at: place, into: &out)
    }
    out.append("]")
    out.append(member: "reader")
    out.append("{")
    out.append(member: "running", reader.isRunning)
    out.append(member: "name", orNull: reader.status?.name)
    out.append(member: "conn")
    if let conn = reader.owner { out.append(decimal: conn) } else { out.append("null") }
    out.append("}")
    out.append(member: "do_not_disturb", doNotDisturb)
    out.append(member: "pending")
    pending(&out)
    out.append("}")
  }

  /// All windows, in the order of their coming.
  private var windows: [(WindowPlace, KnownWindow)] {
    apps.flatMap { key, app in
      app.windows.map { (WindowPlace(app: key, window: $0.key), $0.value) }
    }
    .sorted { $0.1.arrival < $1.1.arrival }
  }

  private func writeFocus(_ focus: Focus?, only app: AppKey?, into out: inout ByteBuffer) {
    guard let focus else {
      out.append("null")
      return
    }
    out.append("{")
    out.append(member: "seq", focus.seq.number)
    out.append(member: "app", focus.place.app.app.text)
    out.append(member: "window", focus.place.window.text)
    out.append(member: "element", focus.element.text)
    out.append(member: "suggestion")
    if let suggestion, app == nil || suggestion.place.app == app {
      out.append(suggestion)
    } else {
      out.append("null")
    }
    out.append("}")
  }

  private func writeWindow(_ window: KnownWindow, at place: WindowPlace, into out: inout ByteBuffer)
  {
    out.append("{")
    out.append(member: "app", place.app.app.text)
    out.append(member: "window", place.window.text)
    out.append(member: "state", window.state.rawValue)
    out.append(member: "title", orNull: window.title)
    out.append(member: "modal", window.isModal)
    out.append(member: "focus", orNull: window.focus?.text)
    out.append("}")
  }
}

extension ByteBuffer {
  fileprivate mutating func append(_ suggestion: Suggestion) {
    append("{")
    append(member: "seq", suggestion.seq.number)
    append(member: "app", suggestion.place.app.app.text)
    append(member: "window", suggestion.place.window.text)
    append(member: "element", suggestion.element.text)
    append(member: "reason", suggestion.reason)
    append("}")
  }

  fileprivate mutating func append(member name: StaticString, orNull text: String?) {
    append(member: name)
    if let text { append(json: text) } else { append("null") }
  }
}
