// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The texts of the live objects of a program as they stand, and the regions that are known.
struct StandingTexts {
  private var texts: [SourceObject: String] = [:]
  private var times: [SourceObject: Int64] = [:]
  /// The objects with a text, the one that was changed last at the end.
  private var order: [SourceObject] = []
  /// The regions by the time at which they were seen first, the oldest first.
  private var regions: [(root: SourceObject, time: Int64)] = []

  private static let mostTexts = 128
  private static let mostRegions = 64

  subscript(source: SourceObject) -> String? { texts[source] }

  /// Keeps the text of an object.
  mutating func keep(_ text: String, of source: SourceObject, at now: Int64) {
    remove(source)
    (texts[source], times[source]) = (text, now)
    order.append(source)
    if order.count > Self.mostTexts { remove(order[0]) }
  }

  mutating func remove(_ source: SourceObject) {
    guard texts.removeValue(forKey: source) != nil else { return }
    times[source] = nil
    order.removeAll { $0 == source }
  }

  /// Forgets what is older than a time.
  mutating func forget(before time: Int64) {
    for source in order.filter({ times[$0] ?? 0 < time }) { remove(source) }
    regions.removeAll { $0.time < time }
  }

  mutating func see(_ root: SourceObject, at now: Int64) {
    guard !regions.contains(where: { $0.root == root }) else { return }
    if regions.count == Self.mostRegions { regions.removeFirst() }
    regions.append((root, now))
  }

  /// Has a new object take the place of one with the same text, which has gone with its page or
  /// behind a dialog; false where there is none, or where the region is an old one.
  mutating func takeBack(
    _ text: String,
    by source: SourceObject,
    in root: SourceObject,
    since time: Int64
  ) -> Bool {
    guard regions.contains(where: { $0.root == root && $0.time >= time }),
      let old = order.first(where: { $0 != source && texts[$0] == text })
    else { return false }
    remove(old)
    return true
  }
}
