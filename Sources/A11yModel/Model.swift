// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// What is the case now, as the entries of the log say it.
///
/// A fold: entries go in, one after the other, and nothing else does. So the model that has come
/// with the live stream, the one that is made from a replay and the one that begins in the middle,
/// from what was written down there, are equal. Entries are taken as they are stored; what was kept
/// from the log is kept from here too.
///
/// A copy costs nothing and shares everything; see `Tree`.
public struct Model: Sendable {
  private let sizeless = Sizeless()
  var clients: [Int64: KnownClient] = [:]
  var reader = Reader()
  var doNotDisturb: Int64 = 0
  var focus: Focus?
  /// Where an app would have it.
  public internal(set) var suggestion: Suggestion?
  /// The one window that the user works in, if any.
  var active: WindowPlace?
  var apps: [AppKey: KnownApp] = [:]
  /// What the apps of each user have together.
  var shares: [UInt32: Int] = [:]
  /// What all apps have.
  public internal(set) var bytes = 0
  /// Apps and windows that have come so far.
  var arrivals: Int64 = 0
  /// What was taken away of it and is not given back yet.
  var rubble = Rubble()
  /// Not before this instant of the bus clock is any app to go.
  var nextDue = Int64.max

  /// How long the windows of an app stay when its last connection has ended, in microseconds: an
  /// app that is started anew, or has lost its connection, finds them as they were.
  public static let grace: Int64 = 5_000_000

  public init() {}

  // MARK: Asking

  /// Whether the value of an element is a secret.
  public func isSecure(_ place: ElementPlace) -> Bool { element(at: place)?.isSecure ?? false }

  /// Whether the value of an element is one that the log does not have.
  public func isValueWithheld(_ place: ElementPlace) -> Bool {
    element(at: place)?.showing.redacted != nil
  }

  /// Whether an element has said what it is, by its traits.
  public func isDescribed(_ place: ElementPlace) -> Bool {
    element(at: place)?.isDescribed ?? false
  }

  private func element(at place: ElementPlace) -> KnownElement? {
    apps[place.app]?.windows[place.window]?.tree[place.element]
  }

  /// A bound of the wire that an entry would exceed.
  public enum Overflow: Equatable {
    /// The app would have too many windows.
    case windows
    /// It would have too many elements, by those in this field.
    case elements(StaticString)
    /// The ids and texts of its windows and elements would have too many bytes.
    case bytes
    /// Those of all apps of its user would.
    case userBytes

    public static func == (a: Overflow, b: Overflow) -> Bool {
      switch (a, b) {
      case (.windows, .windows): true
      case (.elements(let a), .elements(let b)): a.description == b.description
      case (.bytes, .bytes), (.userBytes, .userBytes): true
      case (.windows, _), (.elements, _), (.bytes, _), (.userBytes, _): false
      }
    }
  }
}

/// Equal models say the same of everything, and go on saying so.
extension Model: Equatable {
  public static func == (a: Model, b: Model) -> Bool {
    a.clients == b.clients && a.reader == b.reader && a.doNotDisturb == b.doNotDisturb
      && a.focus == b.focus && a.suggestion == b.suggestion && a.active == b.active
      && a.arrivals == b.arrivals
      && a.apps == b.apps
  }
}
