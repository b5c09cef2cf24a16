// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// The state as clients are told of it.
extension Model {
  /// Appends the state as the protocol has it: the model right after the entry that `cursor` names.
  ///
  /// An app is shown its own windows, and the focus only if it is there. `pending` appends the list
  /// of items that wait to be spoken, which the model does not know.
  public func writeState(
    cursor: Cursor,
    only app: AppKey?,
    into out: inout ByteBuffer,
    pending: (inout ByteBuffer) -> Void
  ) {
    out.object { out in
      out.append(member: "cursor", cursor.text)
      out.append(member: "focus")
      writeFocus(
        focus.flatMap { app == nil || $0.place.app == app ? $0 : nil },
        only: app,
        into: &out
      )
      let shown = windows.filter { app == nil || $0.0.app == app }
      out.array("windows", of: shown) { writeWindow($1.1, at: $1.0, into: &$0) }
      out.object("reader") {
        $0.append(member: "running", reader.isRunning)
        $0.appendText("name", orNull: reader.status?.name)
        $0.append(member: "conn")
        if let conn = reader.owner { $0.append(decimal: conn) } else { $0.append("null") }
      }
      out.append(member: "do_not_disturb", doNotDisturb)
      out.append(member: "pending")
      pending(&out)
    }
  }

  /// All windows, in the order of arrival.
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
    out.object { out in
      out.append(member: "seq", focus.seq.number)
      out.append(member: "app", focus.place.app.app.text)
      out.append(member: "window", focus.place.window.text)
      out.append(member: "element", focus.element.text)
      out.append(member: "suggestion")
      if let suggestion, app == nil || suggestion.place.app == app {
        out.appendSuggestion(suggestion)
      } else {
        out.append("null")
      }
    }
  }

  private func writeWindow(_ window: KnownWindow, at place: WindowPlace, into out: inout ByteBuffer)
  {
    out.object {
      $0.append(member: "app", place.app.app.text)
      $0.append(member: "window", place.window.text)
      $0.append(member: "state", window.state.rawValue)
      $0.appendText("title", orNull: window.title)
      $0.append(member: "modal", window.isModal)
      $0.appendText("focus", orNull: window.focus?.text)
    }
  }
}

extension ByteBuffer {
  fileprivate mutating func appendSuggestion(_ suggestion: Suggestion) {
    object {
      $0.append(member: "seq", suggestion.seq.number)
      $0.append(member: "app", suggestion.place.app.app.text)
      $0.append(member: "window", suggestion.place.window.text)
      $0.append(member: "element", suggestion.element.text)
      $0.append(member: "reason", suggestion.reason)
    }
  }

  fileprivate mutating func appendText(_ name: StaticString, orNull text: String?) {
    append(member: name)
    if let text { append(json: text) } else { append("null") }
  }
}
