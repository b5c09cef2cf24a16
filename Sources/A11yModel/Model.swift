// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The state of apps, windows, elements, readers and the focus, as the entries of the log tell it.
///
/// A fold: entries go in, one after the other, and nothing else does. So the model of the live
/// stream, that of a replay and one restored in the middle of the log are equal. Entries are
/// applied as they are stored, so that a text withheld from the log is withheld from the model.
///
/// A copy costs nothing and shares everything; see `Tree`.
public struct Model: Sendable {
  private let sizeless = Sizeless()
  var clients: [Int64: KnownClient] = [:]
  var reader = Reader()
  var doNotDisturb: Int64 = 0
  var focus: Focus?
  /// The place where an app would have the focus.
  public internal(set) var suggestion: Suggestion?
  /// The one window that the user works in, if any.
  var active: WindowPlace?
  /// The users whose windows may be the active one.
  public internal(set) var seat = Seat.everybody
  /// The windows that would be active if their users were at the seat, one of each user, the latest
  /// last.
  var claims: [WindowPlace] = []
  var apps: [AppKey: KnownApp] = [:]
  /// The bytes of all apps of each user.
  var shares: [UInt32: Int] = [:]
  /// The bytes of all apps.
  public internal(set) var bytes = 0
  /// Numbers given so far to apps, windows and covers by their arrival.
  var arrivals: Int64 = 0
  /// Removed parts whose memory is not given back yet.
  var rubble = Rubble()
  /// The instant at which the next app is to go, if any.
  var nextDue: Instant?

  /// The time for which the windows of an app outlive its last connection: an app that restarts or
  /// reconnects finds them as they were.
  public static let grace = TimeSpan.seconds(5)

  public init() {}

  // MARK: Asking

  /// Whether the value of an element is a secret.
  public func isSecure(_ place: ElementPlace) -> Bool { element(at: place)?.isSecure ?? false }

  /// Whether the names of an element's actions must not stand on the log.
  public func hidesActions(_ place: ElementPlace) -> Bool {
    element(at: place)?.hidesActions ?? false
  }

  /// Whether an element has a value that was withheld from the log.
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

  /// A bound of the wire that an event would exceed.
  public enum Overflow: Equatable {
    /// The app would have too many windows.
    case windows
    /// The app would have too many elements, by those in this field.
    case elements(StaticString)
    /// The ids and texts of its windows and elements would have too many bytes.
    case bytes
    /// The ids and texts of all apps of its user would have too many bytes.
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

/// Equal models answer every question alike, and stay equal under the same entries.
extension Model: Equatable {
  public static func == (a: Model, b: Model) -> Bool {
    a.clients == b.clients && a.reader == b.reader && a.doNotDisturb == b.doNotDisturb
      && a.focus == b.focus && a.suggestion == b.suggestion && a.active == b.active
      && a.seat == b.seat && a.claims == b.claims && a.arrivals == b.arrivals
      && a.apps == b.apps
  }
}
