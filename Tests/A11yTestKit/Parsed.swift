// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line of JSON as another make of reader understands it, to be asked by way of names.
package struct Parsed: Equatable, CustomStringConvertible {
  private let value: NSObject?

  package init(_ line: String) throws {
    value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSObject
  }

  private init(_ value: Any?) { self.value = value as? NSObject }

  package subscript(name: String) -> Parsed { Parsed((value as? NSDictionary)?[name]) }

  package subscript(index: Int) -> Parsed {
    guard let list = value as? NSArray, list.count > index else { return Parsed(nil) }
    return Parsed(list[index])
  }

  package var exists: Bool { value != nil }
  package var string: String? { value as? String }
  package var number: Int64? { (value as? NSNumber)?.int64Value }
  package var flag: Bool? { (value as? NSNumber)?.boolValue }
  package var strings: [String]? { value as? [String] }
  package var isNull: Bool { value is NSNull }
  package var count: Int? { (value as? NSArray)?.count ?? (value as? NSDictionary)?.count }
  package var names: Set<String> { Set((value as? NSDictionary)?.allKeys as? [String] ?? []) }
  package var description: String { value.map { "\($0)" } ?? "nothing" }
}
