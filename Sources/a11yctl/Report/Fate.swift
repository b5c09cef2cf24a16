// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The end of an event in the few kinds that a person tells apart at a glance.
///
/// Each has a colour and a shape of its own, for eyes that do not tell the colours apart.
enum Fate: Int, CaseIterable {
  case heard, cut, merged, kept, lost, waiting

  init(_ reason: MissedReason?) {
    self =
      switch reason {
      case nil: .heard
      case .cut, .stopped: .cut
      case .counted, .newer, .repeated: .merged
      case .muted, .background, .media, .modal, .rule, .withdrawn: .kept
      case .expired, .noReader, .readerOff, .failed, .secret, .other: .lost
      }
  }

  /// The name of its colour and its shape in the page.
  var id: String {
    switch self {
    case .heard: "heard"
    case .cut: "cut"
    case .merged: "merged"
    case .kept: "kept"
    case .lost: "lost"
    case .waiting: "waiting"
    }
  }

  /// The heading of its column.
  var title: String {
    switch self {
    case .heard: "Heard"
    case .cut: "Cut off"
    case .merged: "Stood in for"
    case .kept: "Kept on record"
    case .lost: "Lost"
    case .waiting: "Without an end"
    }
  }

  /// The meaning, for the legend.
  var meaning: String {
    switch self {
    case .heard: "spoken to its end, or presented"
    case .cut: "begun, and cut off or stopped"
    case .merged: "a newer one, an equal one or a summary was heard instead"
    case .kept: "a rule, a muting or its app kept it from being spoken"
    case .lost: "nobody could speak it, or it came too late"
    case .waiting: "it has no end yet"
    }
  }

  /// The shape, about the origin, six units wide.
  var shape: String {
    switch self {
    case .heard: "<circle r=\"3\"/>"
    case .cut: "<path d=\"M-3-3H0V3H-3Z\"/>"
    case .merged: "<path d=\"M0-3.6L3.6 0L0 3.6L-3.6 0Z\"/>"
    case .kept: "<path d=\"M-3-3H3V3H-3Z\"/>"
    case .lost: "<path d=\"M-3-2L-2-3L0-1L2-3L3-2L1 0L3 2L2 3L0 1L-2 3L-3 2L-1 0Z\"/>"
    case .waiting: "<path d=\"M0-3L3 3H-3Z\"/>"
    }
  }
}
