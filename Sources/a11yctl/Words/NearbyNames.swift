// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The known names that an unknown one was probably meant to be.
enum NearbyNames {
  /// More than these are a list, in which the one that was meant is lost.
  private static let most = 4

  /// The nearest names: first those that the typed one is a part of, then those with few other
  /// letters.
  static func to(_ typed: String, among names: some Sequence<String>) -> [String] {
    let written = typed.lowercased()
    let all = Set(names).sorted()
    var near = all.filter { $0.lowercased().contains(written) && !written.isEmpty }
    var rest = all.filter { !near.contains($0) }
    while near.count < most {
      // A typed word is compared with the last part of a name, too: Caht with org.example.Chat.
      let whole = Dictionary(rest.map { ($0.lowercased(), $0) }) { first, _ in first }
      let lasts = Dictionary(rest.map { (last($0).lowercased(), $0) }) { first, _ in first }
      guard
        let next = NearestName.to(typed, among: whole.keys.sorted()).flatMap({ whole[$0] })
          ?? NearestName.to(typed, among: lasts.keys.sorted()).flatMap({ lasts[$0] })
      else { break }
      near.append(next)
      rest.removeAll { $0 == next }
    }
    return Array(near.prefix(most))
  }

  /// “; did you mean a, b or c?”, or the end of the sentence.
  static func question(_ near: [String]) -> String {
    guard let last = near.last else { return "." }
    let words = near.count == 1 ? last : near.dropLast().joined(separator: ", ") + " or " + last
    return "; did you mean \(words)?"
  }

  private static func last(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}
