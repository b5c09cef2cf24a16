// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The kinds of calls that a disk gets.
struct DiskCall: OptionSet, Hashable {
  let rawValue: Int

  static let names = DiskCall(rawValue: 1 << 0)
  static let measure = DiskCall(rawValue: 1 << 1)
  static let open = DiskCall(rawValue: 1 << 2)
  static let create = DiskCall(rawValue: 1 << 3)
  static let rename = DiskCall(rawValue: 1 << 4)
  static let remove = DiskCall(rawValue: 1 << 5)
  static let makeFolder = DiskCall(rawValue: 1 << 6)
  static let synchronizeNames = DiskCall(rawValue: 1 << 7)
  static let read = DiskCall(rawValue: 1 << 8)
  static let write = DiskCall(rawValue: 1 << 9)
  static let truncate = DiskCall(rawValue: 1 << 10)
  static let size = DiskCall(rawValue: 1 << 11)
  static let synchronize = DiskCall(rawValue: 1 << 12)

  static let all = DiskCall(rawValue: (1 << 13) - 1)
  static let reading: DiskCall = [.names, .measure, .open, .read, .size]
  static let changing: DiskCall = [
    .create, .rename, .remove, .makeFolder, .write, .truncate, .openInPlace,
  ]
  /// Opening to write; counts as `open` too.
  static let openInPlace = DiskCall(rawValue: 1 << 13)
}

/// A misfortune that is planned: which call of which kind, how it ends, and whether all after it
/// do.
struct DiskFault {
  enum Effect: Equatable {
    case fails(Errno)
    /// A read or a write does less than it was asked to.
    case isShort
  }

  let effect: Effect
  /// The calls that it may strike; of these only the ones that can have the effect.
  let calls: DiskCall
  /// So many possible calls go well before.
  let after: Int
  let isLasting: Bool
  /// Calls that it could have struck so far.
  private var passed = 0

  init(_ effect: Effect, calls: DiskCall, after: Int, isLasting: Bool) {
    self.effect = effect
    self.calls = calls.intersection(Self.possible(effect))
    self.after = after
    self.isLasting = isLasting
  }

  mutating func strikes(_ call: DiskCall) -> Bool {
    guard !calls.isDisjoint(with: call) else { return false }
    passed += 1
    return isLasting ? passed > after : passed == after + 1
  }

  /// The calls that a kernel may answer with this effect.
  private static func possible(_ effect: Effect) -> DiskCall {
    switch effect {
    case .isShort: [.read, .write]
    case .fails(.noSpace), .fails(.diskQuotaExceeded):
      [.create, .makeFolder, .rename, .write, .synchronize, .synchronizeNames]
    case .fails(.readOnlyFileSystem): DiskCall.changing
    case .fails(.fileTooLarge): [.write, .truncate]
    case .fails: .all
    }
  }
}

extension Errno {
  static let interrupted = Errno(rawValue: EINTR)
  static let notEmpty = Errno(rawValue: ENOTEMPTY)
}
