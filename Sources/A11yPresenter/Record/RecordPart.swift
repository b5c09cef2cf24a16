// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The parts of the presenter's record, in the order in which they are written.
enum RecordPart: String, CaseIterable {
  /// Comes first, because the treatment of items follows from it.
  case rules
  case session, item, speaking, cut, past, served, loss, text, label, dialog, echo
  /// Decisions that were not written down yet, in their order.
  case outcome, focus, gesture, calm
  case action, pause
  /// The rows of tables.
  case busy, storm
  case burst
  case memory, bucket, wish, screen
  case alarm
}
