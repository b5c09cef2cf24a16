// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yCore
package import A11yEngine
package import A11yModel
import A11yPosix

/// The state within the segment that is appended to, so that a start need not go over all of it.
///
/// Beside each segment stands the state at its beginning; from there on a start would have a whole
/// segment to decide anew. So the state is written down again and again, into one file that takes the
/// place of the last. A start that finds it borne out by the entries goes on from there.
extension EventLog {
  /// A segment has so many parts of which a start goes over one: 256 KiB, or some thousand entries,
  /// which are decided in a few milliseconds.
  private static let parts: Int64 = 64
  /// As long as the log has not grown by so many times what the state weighs, reading the one costs
  /// as much as going over the other.
  private static let worth: Int64 = 2

  /// So much was appended that the engine's state is to be written down.
  package var wantsLatest: Bool {
    trouble == nil && active.file != nil && !wantsState && !isWritingState && !isWritingLatest
      && active.end - stateEnd >= max(policy.segmentBytes / Self.parts, Self.worth * stateWeight)
  }

  package var isWritingLatest: Bool { latestWriter != nil }

  /// Begins to write what the engine knows now, behind the last entry.
  package func beginLatest(
    engine: Engine,
    keys: ArraySlice<UsedKey>,
    secrets: ForgottenSecrets
  ) {
    guard let header = active.header else { return }
    stateEnd = active.end
    latestWriter = StateWriter(
      disk,
      SegmentName.latest,
      beside: header,
      after: last,
      engine: engine,
      keys: keys,
      secrets: secrets
    )
  }

  /// Writes on; what the disk does not take is given up, for it can be done without.
  package func advanceLatest(budget: Int) {
    guard let writer = latestWriter else { return }
    do throws(Errno) {
      guard try writer.advance(budget: budget) else { return }
      // The medium may get it later: half of it says of itself that it is not whole.
      try writer.finish()
      stateWeight = writer.offset
      latestWriter = nil
    } catch {
      abandonLatest()
    }
  }

  func abandonLatest() {
    latestWriter?.abandon()
    latestWriter = nil
  }
}
