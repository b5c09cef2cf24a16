// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The places for connections: who has how many of them, and who may have one more.
///
/// Some are kept for readers and operators, so that no crowd of apps keeps them out. When all
/// others are taken, the user with most of them gives one up for a user with few: five users cannot
/// lock out a sixth.
struct GuestBook {
  enum Admission: Equatable {
    case welcome
    /// There is room once the newest connection of this user is ended.
    case inPlaceOf(uid: UInt32)
    case refused(Refusal)
  }

  /// The operator's quotas; the kernel may allow less.
  var limits: Quotas
  private let affordable: Int
  private var keepers: [Role] = []
  private(set) var count = 0
  private var guestsPerRole: [Role: Int] = [:]
  private var guestsPerUser: [UInt32: Int] = [:]
  private var publishersPerUser: [UInt32: Int] = [:]

  /// Places that each of the doors for readers and operators has for itself.
  private static let kept = 64
  /// The part of all places that it is at most.
  private static let keptPart = 8
  /// A user with fewer connections than that is let in at the cost of the one with most.
  private static let few = 16

  /// `affordable` is the number of connections that the kernel has descriptors for.
  init(limits: Quotas, affordable: Int) {
    self.limits = limits
    self.affordable = affordable
  }

  /// Notes that there is such a door.
  mutating func add(_ role: Role) {
    if role == .read || role == .control { keepers.append(role) }
  }

  mutating func enter(_ uid: UInt32, _ role: Role) {
    count += 1
    guestsPerRole[role, default: 0] += 1
    guestsPerUser[uid, default: 0] += 1
    if role == .publish { publishersPerUser[uid, default: 0] += 1 }
  }

  mutating func leave(_ uid: UInt32, _ role: Role) {
    count -= 1
    guestsPerRole[role, default: 1] -= 1
    Self.countDown(uid, in: &guestsPerUser)
    if role == .publish { Self.countDown(uid, in: &publishersPerUser) }
  }

  private static func countDown(_ uid: UInt32, in counts: inout [UInt32: Int]) {
    let left = counts[uid, default: 1] - 1
    counts[uid] = left == 0 ? nil : left
  }

  /// Whether a client of this user may come in through a door.
  func admission(of uid: UInt32, at role: Role) -> Admission {
    let most = min(limits.connections, affordable)
    let kept = min(Self.kept, most / Self.keptPart)
    if keepers.contains(role), guestsPerRole[role, default: 0] < kept { return .welcome }
    guard guestsPerUser[uid, default: 0] < limits.connectionsPerUser else {
      return .refused(
        Refusal(
          .quotaExceeded,
          "this user has its \(limits.connectionsPerUser) connections; close one first"
        )
      )
    }
    let unclaimed = keepers.reduce(0) { $0 + max(0, kept - guestsPerRole[$1, default: 0]) }
    if count + unclaimed < most { return .welcome }
    if role == .publish, let holder = holderOfMost(besides: uid) { return .inPlaceOf(uid: holder) }
    return .refused(
      Refusal(.quotaExceeded, "the bus has its \(most) connections; come again later")
    )
  }

  /// The user who gives a place to this one, if this one has few.
  private func holderOfMost(besides uid: UInt32) -> UInt32? {
    let own = publishersPerUser[uid, default: 0]
    guard own < Self.few else { return nil }
    let holder = publishersPerUser.max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let holder, holder.key != uid, holder.value > own + 1 else { return nil }
    return holder.key
  }
}
