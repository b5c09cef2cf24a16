// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The fields of our own that entries in the journal have, beside those that every entry has.
package enum JournalField: String, CaseIterable, Sendable {
  /// The last entry of the log, or the one that is meant.
  case seq = "BUS_SEQ"
  /// Why, or what exactly; never a text that was announced.
  case reason = "BUS_REASON"
  /// The file, socket or directory that is meant.
  case path = "BUS_PATH"
}
