// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The things that do not keep the rules of the tree yet, with their present measures. The tables
// only ever get shorter.
extension Ratchet {
  /// Lines of the longest function of a name in a file.
  static let functionLines = Ratchet(cap: 70, [:])

  /// Lines of a room that are wider than 100 columns.
  static let wideLines = Ratchet(cap: 0, [:])

  /// Files of Sources with this name.
  static let fileNames = Ratchet(cap: 1, [:])

  /// Uses of underscored names of the standard library.
  static let underscoredNames = Ratchet(
    cap: 0,
    [
      "BoundedTable.swift _modify": 1,
      "ByteBuffer.swift _overrideLifetime": 1,
      "ByteBuffer.swift _unsafeStart": 1,
      "Item.swift _modify": 1,
      "Item.swift _read": 2,
      "JSONReader.swift _overrideLifetime": 1,
      "JSONReader.swift _unsafeElements": 1,
      "JSONReader.swift _unsafeStart": 2,
      "TableKey.swift _rawHashValue": 1,
      "Tree.swift _modify": 1,
      "Tree.swift _read": 1,
    ]
  )
}
