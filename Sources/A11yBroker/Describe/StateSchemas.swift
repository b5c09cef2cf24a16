// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yRules
internal import A11yWire

/// The schema of the state: focus, windows, reader and the events that wait.
enum StateSchemas {
  static let state = ObjectSchema([
    .always("cursor", .cursor, "The place in the log that it is the state of."),
    .always("focus", .orNull(.object(focus)), "The focus; null: nowhere."),
    .always("windows", .list(.object(window)), "The windows, in the order in which they came."),
    .always("reader", .object(reader), "The reader."),
    .always("do_not_disturb", .integer(0...100), "The level of do-not-disturb."),
    .always("pending", .list(.object(pending)), "The events that wait or are being spoken."),
  ])

  private static let focus = ObjectSchema([
    .always("seq", .seq, "The focus entry that has set it."),
    .always("app", .anyText, "The app."),
    .always("window", .name, "The window."),
    .always("element", .name, "The element."),
    .always(
      "suggestion",
      .orNull(.object(suggestion)),
      "The place to which an app has asked the focus in vain; null: none."
    ),
  ])

  private static let suggestion = ObjectSchema([
    .always("seq", .seq, "The event that has asked."),
    .always("app", .anyText, "The app."),
    .always("window", .name, "The window."),
    .always("element", .name, "The element."),
    .always("reason", .anyText, "Why the wish was denied."),
  ])

  private static let window = ObjectSchema([
    .always("app", .anyText, "The app."),
    .always("window", .name, "The window."),
    .always("state", .words(WordSet.windowState.words.map(\.description)), "Its state."),
    .always("title", .orNull(.anyText), "Its title, if the app has told one."),
    .always("modal", .flag, "Whether it covers the rest of its app."),
    .always("focus", .orNull(.name), "The element that has the focus when it becomes active."),
  ])

  private static let reader = ObjectSchema([
    .always("running", .flag, "Whether a screen reader runs."),
    .always("name", .orNull(.anyText), "Its name, if it has told one."),
    .always("conn", .orNull(.seq), "The connection of the reader that owns speech."),
  ])

  private static let pending = ObjectSchema([
    .always("seq", .seq, "The event."),
    .always("type", .anyText, "Its type."),
    .always("app", .anyText, "Its app."),
    .always("priority", .words(Priority.allCases.map(\.rawValue)), "Its priority."),
    .always("state", .words(Pending.State.allCases.map(\.rawValue)), "How it waits."),
    .always("by", obstacle, "The obstacle that holds it; null while it is being spoken."),
    .always("due", .orNull(.anyInteger), "When it goes on by itself, on the bus clock."),
  ])

  static let obstacle = JSONSchema.orNull(.words(Obstacle.allCases.map(\.rawValue)))
}
