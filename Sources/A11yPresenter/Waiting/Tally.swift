// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yRules

/// How many events wait for their turn.
struct Tally: Sendable, Equatable {
  var pending = 0
  /// Events in the queue; and those of them that say nothing.
  var queued = 0
  var silent = 0
  var low = 0
  var high = 0
  var focus = 0
  /// A reader's words about itself that have not come to rest.
  var status = 0
  /// Events that were cut, as long as the event that has cut them is not over.
  var cut = 0

  mutating func count(_ item: Item, _ step: Int) {
    if item.standing == .queued {
      queued += step
      if item.isSilent { silent += step }
      if item.again?.cutter != nil { cut += step }
    }
    switch item.standing {
    case .held, .limited, .queued:
      pending += step
      if item.isAnnouncement, item.priority == .high { high += step }
      if item.kind == .focus { focus += step }
      if item.isAnnouncement, item.priority == .low { low += step }
    case .coalescing: if item.kind == .status { status += step }
    case .busy, .storm, .moving, .speaking: break
    }
  }
}
