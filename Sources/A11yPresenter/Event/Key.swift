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

  /// The key of an announcement that has no other way to be known: by its class.
  init(_ item: borrowing Item) {
    uid = item.facts.uid
    app = item.facts.app
    let element = item.facts.element
    guard element != nil || item.key != nil else {
      print = item.facts.speechClass.print
      return
    }
    print = Fingerprint(item.facts.speechClass.word.utf8Span.span)
    print.addAbsence()
    print.add(element)
    print.add(item.key)
  }

  /// One whose print was made before.
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
  /// The print of its word alone, by which most announcements are told apart.
  var print: Fingerprint {
    if case .other(let word) = self { return Fingerprint.ofWord(word) }
    return Self.prints[number]
  }

  private static let prints = known.map { Fingerprint.ofWord($0.word) }
}

extension Fingerprint {
  fileprivate mutating func add(_ name: Name?) {
    guard let name else { return addAbsence() }
    add(name.text.utf8Span.span)
  }
}

extension Item {
  /// The key by which a newer event says anew what this one says; nil where none does.
  var coalescingKey: Key? {
    switch self.kind {
    case .status: return .status
    case .focus: return .focus
    case .report: return .report
    case .digest, .reading: return nil
    case .announcement, .layout, .screen, .page, .value: break
    }
    // A summary speaks of many, so it is no value of anything.
    guard self.summary == nil else { return nil }
    if let key = Key(self.treatment.key.value, domain, self) { return key }
    // An app that gives a key and wants the latest only has made one of its own.
    guard self.mode != .all, self.key != nil else { return nil }
    return Key([[.app, .key]], domain, self)
  }

  private var domain: String {
    self.kind == .announcement ? self.facts.speechClass.word : self.kind.rawValue
  }

  /// Whether this event says anew what another has said: the words of the other are out of date.
  func corrects(_ other: Item) -> Bool {
    coalesces(with: other)
      || app == other.app && self.key != nil && self.key == other.key
  }

  func coalesces(with other: Item) -> Bool {
    guard let key = coalescingKey else { return false }
    return other.coalescingKey == key
  }
}

extension AppKey {
  /// The app of what is nobody's.
  static var nobody: AppKey { AppKey(uid: 0, app: Name("")) }
}

extension AppKey: Recorded {
  static var blank: AppKey { AppKey(uid: 0, app: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var uid = self.uid
    var name = self.app
    scribe.transcribe(&uid, &name)
    self = AppKey(uid: uid, app: name)
  }
}

extension Key: Recorded {
  static var blank: Key { Key("", .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var (app, print) = (AppKey(uid: self.uid, app: self.app), self.print)
    scribe.transcribe(&app, &print)
    if scribe.isReading { self = Key(app, print) }
  }
}

extension Fingerprint: Recorded {
  static var blank: Fingerprint { Fingerprint() }

  mutating func record(_ scribe: inout Scribe) {
    var (high, low) = (self.high, self.low)
    scribe.transcribe(&high, &low)
    self = Fingerprint(high: high, low: low)
  }
}
