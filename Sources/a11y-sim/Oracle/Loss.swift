// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension Chronicle {
  /// Why an entry may be gone.
  struct Loss: OptionSet {
    let rawValue: Int
    /// The disk has never had it, or has lost it with the power.
    static let storage = Loss(rawValue: 1)
    /// It was on the disk, and damaged there.
    static let corruption = Loss(rawValue: 2)
    static let retention = Loss(rawValue: 4)
  }
}
