// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The fields of our own that entries in the journal have, beside those that every entry has.
package enum JournalField: String, CaseIterable, Sendable {
  /// The last entry of the log, or the one that the entry of the journal is about.
  case seq = "BUS_SEQ"
  /// The reason, or the exact fault; never a text that was announced.
  case reason = "BUS_REASON"
  /// The file, socket or directory that the entry is about.
  case path = "BUS_PATH"
}
