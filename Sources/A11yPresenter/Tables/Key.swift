// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// A key by which events are told apart or belong together: their app, and a print of all the rest.
///
/// A print is small and quick to compare. A collision can only merge two events of the same app;
/// the rows of other apps are kept apart by their names.
struct Key: Marked {
  private(set) var uid: UInt32
  private(set) var app: Name
  private(set) var print: Fingerprint

  /// With a `domain` that keeps apart what is alike otherwise: a stage, a type, a rule.
  init(
    _ domain: String,
    _ app: AppKey,
    window: Name? = nil,
    element: Name? = nil,
    key: Name? = nil
  ) {
    uid = app.uid
    self.app = app.app
    print = Fingerprint()
    print.add(domain.utf8Span.span)
    print.add(window)
    print.add(element)
    print.add(key)
  }

  /// With the print of the domain, which was made before.
  init(_ domain: Fingerprint, _ app: AppKey, element: Name?, key: Name?) {
    uid = app.uid
    self.app = app.app
    print = domain
    print.add(nil)
    print.add(element)
    print.add(key)
  }

  /// One that was made before.
  init(_ app: AppKey, _ print: Fingerprint) {
    uid = app.uid
    self.app = app.app
    self.print = print
  }

  /// The key that a treatment makes of what is known of an event; nil where no way of making one
  /// has all its parts.
  init?(_ ways: [KeyParts], _ domain: String, _ item: borrowing Item) {
    for parts in ways {
      guard parts.isGiven(by: item) else { continue }
      self.init(
        domain,
        item.app,
        window: parts.contains(.window) ? item.facts.window : nil,
        element: parts.contains(.element) ? item.facts.element : nil,
        key: parts.contains(.key) ? item.key : nil
      )
      return
    }
    return nil
  }

  // Apps choose the names, and classes of their own; marks are nobody's to foretell.
  var mark: Int { app.mark &+ Int(uid) &+ print.mark }

  static func == (a: Key, b: Key) -> Bool {
    a.print == b.print && a.uid == b.uid && a.app == b.app
  }
}

extension Key {
  // The bus has one status of the reader, and one focus: their keys are of no app.
  static let status = Key("status", EntryHead.none.app)
  static let focus = Key("focus", EntryHead.none.app)
  static let report = Key("report", EntryHead.none.app)
}

extension KeyParts {
  /// Whether they tell an event from others: one that names no window or element speaks for its
  /// app, but without a key there is no value that a newer one could replace.
  func isGiven(by item: borrowing Item) -> Bool { !contains(.key) || item.key != nil }
}

extension SpeechClass {
  /// The print of its word, by which most announcements are told apart.
  var print: Fingerprint {
    if case .other(let word) = self { return Fingerprint(word.utf8Span.span) }
    return Self.prints[number]
  }

  private static let prints = known.map { Fingerprint($0.word.utf8Span.span) }
}

extension Fingerprint {
  fileprivate mutating func add(_ name: Name?) {
    // A name can be read back from its end: its last word says how long it is, for names have less
    // than 256 bytes, and no name ends with this one.
    guard let name else { return add(.max) }
    add(name.text.utf8Span.span)
  }
}
