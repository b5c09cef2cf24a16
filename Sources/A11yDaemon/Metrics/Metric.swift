// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The families of metrics, in the order of the page.
///
/// Labels are words of the protocol, so that their number is bounded. An app is no label: its name
/// is private, and an app may choose new ones for ever.
package enum Metric: String, CaseIterable, Sendable {
  case build = "a11yd_build"
  case startTime = "a11yd_start_time_seconds"
  case connections = "a11yd_connections"
  case connectionsLimit = "a11yd_connections_limit"
  case subscribers = "a11yd_subscribers"
  case subscriberBehind = "a11yd_subscriber_behind_entries"
  case readers = "a11yd_readers"
  case requests = "a11yd_requests"
  case refusals = "a11yd_refusals"
  case published = "a11yd_events_published"
  case duplicates = "a11yd_events_duplicate"
  case outcomes = "a11yd_outcomes"
  case heardWait = "a11yd_heard_wait_seconds"
  case pending = "a11yd_events_pending"
  case queue = "a11yd_queue_events"
  case queueLimit = "a11yd_queue_limit"
  case turns = "a11yd_turns"
  case entries = "a11yd_entries"
  case logBytes = "a11yd_log_bytes"
  case logSegments = "a11yd_log_segments"
  case logFirst = "a11yd_log_first_seq"
  case logLast = "a11yd_log_last_seq"
  case logSynced = "a11yd_log_synced_seq"
  case logDegraded = "a11yd_log_degraded"
  case forgets = "a11yd_forgets"
  case forgotten = "a11yd_entries_forgotten"
  case reloads = "a11yd_reloads"
  case configurationMistaken = "a11yd_configuration_mistaken"

  package enum Kind: String, Sendable {
    case counter, gauge, histogram, info
  }

  package var kind: Kind {
    switch self {
    case .build: .info
    case .requests, .refusals, .published, .duplicates, .outcomes, .turns, .entries, .forgets,
      .forgotten, .reloads:
      .counter
    case .heardWait: .histogram
    case .startTime, .connections, .connectionsLimit, .subscribers, .subscriberBehind, .readers,
      .pending, .queue, .queueLimit, .logBytes, .logSegments, .logFirst, .logLast, .logSynced,
      .logDegraded, .configurationMistaken:
      .gauge
    }
  }

  /// The unit, which is also the end of the name.
  package var unit: String? {
    switch self {
    case .startTime, .heardWait: "seconds"
    case .logBytes: "bytes"
    case .subscriberBehind: "entries"
    case .build, .connections, .connectionsLimit, .subscribers, .readers, .requests, .refusals,
      .published, .duplicates, .outcomes, .pending, .queue, .queueLimit, .turns, .entries,
      .logSegments, .logFirst, .logLast, .logSynced, .logDegraded, .forgets, .forgotten, .reloads,
      .configurationMistaken:
      nil
    }
  }

  package var help: String {
    switch self {
    case .build: "The version of the daemon."
    case .startTime: "When the daemon was started, in seconds since 1970."
    case .connections: "Open connections of clients."
    case .connectionsLimit: "Connections that there may be, as limits.connections says."
    case .subscribers: "Connections that follow the log."
    case .subscriberBehind: "Entries that the slowest subscriber was not sent yet."
    case .readers: "Readers that listen, screen readers and braille displays."
    case .requests: "Requests."
    case .refusals: "Refused requests and lines, by code."
    case .published: "Events that were taken, by type."
    case .duplicates: "Events that were sent again with the key of an earlier one."
    case .outcomes: "Events that have ended, by result."
    case .heardWait: "How long events that were heard have waited for their turn to be spoken."
    case .pending: "Events that wait or are being spoken."
    case .queue: "Events in the queue."
    case .queueLimit: "Events that the queue has room for."
    case .turns: "Turns of the loop."
    case .entries: "Entries that were written since the start."
    case .logBytes: "Bytes of the log."
    case .logSegments: "Files of entries of the log."
    case .logFirst: "The number of the oldest entry of the log."
    case .logLast: "The number of the newest entry."
    case .logSynced: "The number of the newest entry that the medium has confirmed."
    case .logDegraded: "1 while the disk takes nothing and entries are kept in memory, else 0."
    case .forgets: "Requests to forget that were carried out."
    case .forgotten: "Entries that were forgotten on request."
    case .reloads: "Reloads of the configuration."
    case .configurationMistaken: "1 while configuration or rules have a mistake, else 0."
    }
  }
}
