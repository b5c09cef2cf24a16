// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi

/// A look into an alert for the texts in it, object by object, the outer ones first.
///
/// A dialog has some ten objects; the bound is for one that is a whole page.
final class LabelWalk {
  /// The facts about an object and its children; nil facts where it does not answer.
  typealias Ask = (
    _ source: SourceObject, _ onAnswer: @escaping (SourceFacts?, [SourceObject]) -> Void
  ) -> Void

  private let ask: Ask
  private let onEnd: (String) -> Void
  private var ahead: [SourceObject]
  private var asked = 0
  private var texts: [String] = []

  private static let mostObjects = 24

  init(
    from alert: SourceObject,
    asking ask: @escaping Ask,
    onEnd: @escaping (String) -> Void
  ) {
    self.ask = ask
    self.onEnd = onEnd
    ahead = [alert]
  }

  /// Asks the next object; the walk is kept by the question that is under way.
  func proceed() {
    guard !ahead.isEmpty, asked < Self.mostObjects else {
      return onEnd(texts.joined(separator: " "))
    }
    let isAlert = asked == 0
    asked += 1
    ask(ahead.removeFirst()) { facts, children in
      // A program that does not answer about one object is not asked about the others.
      guard let facts else { return self.onEnd(self.texts.joined(separator: " ")) }
      if !isAlert, facts.role.isLabel, !facts.name.isEmpty { self.texts.append(facts.name) }
      self.ahead += children.prefix(Self.mostObjects)
      self.proceed()
    }
  }
}
