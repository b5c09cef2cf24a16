// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The tab with a backup, which goes on when another tab is shown.
final class Backup: DemoApp.Page {
  static let name = "backup"
  static let label = "Backup"

  /// The time of a step of the backup.
  let step: Duration

  init(step: Duration) { self.step = step }

  private var percent: Int?

  var isRunning: Bool { percent != nil }

  var elements: [AppElement] { [button, progress] }

  private var button: AppElement {
    AppElement(
      "run",
      label: isRunning ? "Stop the backup" : "Back up now",
      traits: [.button],
      parent: "page"
    )
  }

  private var progress: AppElement {
    AppElement(
      "progress",
      label: "Progress",
      value: percent.map { "\($0) %" } ?? "Not running",
      traits: [.updatesFrequently],
      parent: "page"
    )
  }

  func handle(_ gesture: DemoGesture, _ app: DemoApp) throws(ClientError) -> Bool {
    guard gesture.name == "activate", gesture.element == "run" else { return false }
    try toggle(app, because: gesture.cause, isShown: true)
    return true
  }

  /// Begins the backup, or stops it.
  func toggle(_ app: DemoApp, because cause: Cause, isShown: Bool = false) throws(ClientError) {
    percent = isRunning ? nil : 0
    Main.say(isRunning ? "The app begins the backup." : "The app stops the backup.")
    if isShown { try app.update(button, progress, because: cause) }
    try app.publish(
      .announcement(SpeechText(isRunning ? "Backup has begun" : "Backup was stopped"))
        .window(DemoApp.main).key("backup").cause(cause)
    )
  }

  func goOn(_ app: DemoApp, isShown: Bool) throws(ClientError) {
    guard let now = percent else { return }
    let next = now + 10
    let isDone = next >= 100
    percent = isDone ? nil : next
    if isShown { try app.update(button, progress, because: .auto) }
    let words: SpeechText = isDone ? "Backup is done" : SpeechText("\(next) %")
    if isDone { Main.say("The backup is done.") }
    try app.publish(
      .announcement(words, kind: .progress, final: isDone).window(DemoApp.main).key("backup")
    )
  }
}
