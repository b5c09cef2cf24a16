// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yWire

/// The schema of the answer to `stats`.
enum StatsSchemas {
  static let stats = ObjectSchema([
    .always("server", .anyText, "The program and its version."),
    .always("pid", .seq, "The number of the process."),
    .always("reloads", .object(reloads), "Reloads of the configuration."),
    .always("uptime_ms", .count, "Milliseconds since the start."),
    .always("connections", .count, "Connections."),
    .always("turns", .count, "Turns of the loop since the start."),
    .always("log", .object(log), "The log."),
    .always("requests", .count, "Requests since the start."),
    .always("published", .count, "Events that were taken since the start."),
    .always("duplicates", .count, "Events whose key was used before."),
    .always("entries", .count, "Entries since the start."),
    .always("refused", .object(refused), "Refusals since the start, by code."),
    .always("outcomes", .object(outcomes), "Events that have ended since the start, by result."),
    .always("presenter", .object(presenter), "The events that wait."),
    .always("apps", .list(.object(app)), "The apps, the last 256 of them."),
    .always("subscribers", .list(.object(subscriber)), "The subscribers, 256 at most."),
  ])

  private static let reloads = ObjectSchema([
    .always("count", .count, "How many there were."),
    .maybe("refused", .anyText, "Why the last one was refused."),
  ])

  private static let log = ObjectSchema([
    .always("epoch", .epoch, "The epoch."),
    .always("first", .count, "The first seq."),
    .always("last", .count, "The last seq."),
    .always("synced", .count, "The last seq that the medium has confirmed."),
    .always("segments", .count, "Files of entries."),
    .always("bytes", .count, "Bytes of the log."),
    .always("degraded", .flag, "Whether the disk fails."),
  ])

  private static let refused = ObjectSchema(
    RefusalCode.allCases.map { .maybe($0.rawValue, .seq, "Refusals with the code \($0.rawValue).") }
  )

  private static let outcomes = ObjectSchema(
    Result.allCases.map { .always($0.rawValue, .count, "Events that ended \($0.rawValue).") }
  )

  private static let presenter = ObjectSchema([
    .always("pending", .object(pending), "The events that wait or are being spoken."),
    .always("tables", .object(tables), "Rows of the tables."),
    .always("readers", .count, "Readers that listen."),
  ])

  private static let pending = ObjectSchema([
    .always("all", .count, "All of them."),
    .always("held", .count, "Those that wait for anything but their turn."),
    .always("queued", .count, "Those that wait for their turn."),
    .always("speaking", .count, "Those that are being spoken."),
    .always("queue", .count, "Places taken in the queue."),
    .always("queue_low", .count, "Places taken by low events."),
    .always("queue_high", .count, "Places taken by high events."),
    .always("queue_bound", .count, "Places that there are."),
  ])

  private static let tables = ObjectSchema([
    .always("windows", .count, "Keys whose quiet time runs."),
    .always("memory", .count, "Sources whose last words are remembered."),
    .always("rates", .count, "Sources whose rate is followed."),
    .always("storms", .count, "Storms."),
    .always("busy", .count, "Busy elements."),
    .always("bound", .count, "Rows that each of these may have."),
    .always("actions", .count, "Actions whose feedback is told apart."),
    .always("actions_bound", .count, "Actions that there may be."),
  ])

  private static let app = ObjectSchema([
    .always("app", .anyText, "The name of the app."),
    .always("uid", .count, "Its user."),
    .always("connections", .count, "Its connections."),
    .always("published", .count, "Its events."),
    .always("refused", .count, "Its requests that were refused."),
    .always("heard", .count, "Its events that were heard, to their end or in part."),
    .always("unheard", .count, "Its events of which nothing was heard."),
  ])

  private static let subscriber = ObjectSchema([
    .always("conn", .seq, "The connection."),
    .always("app", .anyText, "The name of its app."),
    .always("at", .count, "The last entry that it was sent."),
    .always("behind", .count, "The entries that it was not sent yet."),
    .always("unread_bytes", .count, "Bytes that it has not read."),
    .maybe("speech", .integer(0...100), "The rank of a reader's voice."),
  ])
}
