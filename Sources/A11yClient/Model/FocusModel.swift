// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
internal import A11yWire

/// What is the case on the bus: which windows there are, what is in them, and where the focus is.
///
/// It is made of entries, by the very fold that the bus itself goes by; so behind every entry it
/// says what the bus says. Give it what a subscription brings, one item after the other:
///
///     var model = FocusModel()
///     for try await item in client.entries(from: .start) {
///       model.apply(item)
///       print(model.focus?.element ?? "nowhere")
///     }
///
/// From the start of the log it knows everything. A subscription that begins with the `state` is
/// there at once and knows windows and focus; of elements it knows those that are told from then
/// on, and windows of an app that goes away without closing them stay until the app is back.
public struct FocusModel: Sendable, Equatable {
  /// The fold itself.
  package private(set) var model: Model
  /// Some of what is known came from a state, which does not say whose it is.
  private var hasStrangers = false

  /// Nothing is known yet.
  public init() { model = Model() }

  /// Goes on from what somebody else has folded.
  package init(_ model: Model) { self.model = model }

  /// Begins with a state, as `BusConnection.request("state")` and the mark `state` bring it.
  public init(state: JSONValue) {
    self.init()
    let text = Array(state.description.utf8)
    let reader = JSONReader(limit: text.count)
    guard (try? reader.read(text.span)) != nil else { return }
    model.rebuild(from: reader.document, reader.document.root)
    hasStrangers = true
  }

  // MARK: Folding

  /// Takes over what an entry says.
  ///
  /// - Parameter entry: The next entry; those that a filter has left out leave no trace.
  public mutating func apply(_ entry: Entry) {
    let reader = JSONReader(limit: entry.line.utf8.count)
    guard (try? reader.read(Array(entry.line.utf8).span)) != nil else { return }
    if hasStrangers {
      if entry.conn > 0 { model.adopt(AppKey(uid: entry.uid, app: Name(entry.app))) }
      if let app = entry.string("app"), let uid = entry.integer("uid").flatMap(UInt32.init) {
        model.adopt(AppKey(uid: uid, app: Name(app)))
      }
    }
    model.apply(reader.document)
  }

  /// Takes over what an item of a subscription says.
  ///
  /// - Parameter item: An entry, or the mark `state`, with which everything begins anew; other
  ///   marks say nothing of focus and windows.
  public mutating func apply(_ item: SubscriptionItem) {
    switch item {
    case .entry(let entry): apply(entry)
    case .mark(.state(let state, _)): self = FocusModel(state: state)
    case .mark(.anotherLog): self = FocusModel()
    case .mark: break
    }
  }

  // MARK: Asking

  /// Where the focus is; nil while it is nowhere.
  public var focus: Focus? {
    guard let spot = model.focusSpot, let seq = model.focusSeq else { return nil }
    return Focus(
      seq: seq.number,
      app: spot.app.app.text,
      window: spot.window.text,
      element: spot.element.text
    )
  }

  /// Where an app has asked for the focus in vain; nil where there is no such place to go to.
  public var suggestion: Suggestion? {
    model.suggestion.map { suggestion in
      Suggestion(
        seq: suggestion.seq.number,
        app: suggestion.spot.app.app.text,
        window: suggestion.spot.window.text,
        element: suggestion.spot.element.text,
        reason: suggestion.reason
      )
    }
  }

  /// All windows, in the order of their coming.
  public var windows: [Window] { model.windowSights.map(Window.init) }

  /// The elements of a window, in reading order, containers and hidden ones too.
  ///
  /// - Parameters:
  ///   - window: The window's id.
  ///   - app: The app that it belongs to.
  /// - Returns: The elements; none where the window is not there.
  public func elements(of window: String, app: String) -> [SeenElement] {
    guard let key = key(app, window) else { return [] }
    var elements: [SeenElement] = []
    model.eachSight(in: Name(window), of: key) { elements.append(SeenElement($0)) }
    return elements
  }

  /// What is known of one element.
  ///
  /// - Parameters:
  ///   - id: The element's id.
  ///   - window: The window's id.
  ///   - app: The app that it belongs to.
  /// - Returns: The element, or nil where it is not there.
  public func element(_ id: String, of window: String, app: String) -> SeenElement? {
    guard let key = key(app, window) else { return nil }
    let spot = Model.Spot(app: key, window: Name(window), element: Name(id))
    return model.sight(of: spot).map(SeenElement.init)
  }

  /// Two users may have apps of one name; where it matters the one that came first is meant.
  private func key(_ app: String, _ window: String) -> AppKey? {
    model.windowSights.first { $0.app.app == Name(app) && $0.window == Name(window) }?.app
  }
}

extension FocusModel {
  /// Where the focus is.
  public struct Focus: Hashable, Sendable {
    /// The seq of the `focus` entry that says so: what an app passes on as `basis`.
    public let seq: Int64
    /// The app whose element has it.
    public let app: String
    /// The id of the window.
    public let window: String
    /// The id of the element.
    public let element: String
  }

  /// A place for the focus that a reader may offer.
  public struct Suggestion: Hashable, Sendable {
    /// The seq of the event that has asked.
    public let seq: Int64
    /// The app whose element it is.
    public let app: String
    /// The id of the window.
    public let window: String
    /// The id of the element; of a container the first place in it is meant.
    public let element: String
    /// Why the focus was not moved there, in the protocol's words.
    public let reason: String
  }

  /// A window, as far as its app has told of it.
  public struct Window: Hashable, Sendable {
    /// The app that it belongs to.
    public let app: String
    /// The id of the app's choice.
    public let id: String
    /// What it is called.
    public let title: String?
    /// Whether the user works in it, as far as that is known.
    public let state: WindowState
    /// Whether it, or something in it, covers the rest of its app.
    public let isModal: Bool
    /// The element that the focus was on when it last was in this window.
    public let focus: String?

    init(_ sight: Model.WindowSight) {
      app = sight.app.app.text
      id = sight.window.text
      title = sight.title
      state = WindowState(rawValue: sight.state) ?? .opened
      isModal = sight.isModal
      focus = sight.focus?.text
    }
  }
}

/// An element, as far as its app has told of it.
public struct SeenElement: Hashable, Sendable {
  /// The id of the app's choice.
  public let id: String
  /// How many elements stand around it.
  public let level: Int
  /// What it is called; one without a label has those of what is in it.
  public let label: String?
  /// What it holds; nil also where that is a secret.
  public let value: String?
  /// What using it does.
  public let hint: String?
  /// What it is.
  public let traits: [AppElement.Trait]
  /// Left, top, width and height on the screen, if it has told.
  public let frame: [Int64]?
  /// Whether it, or something around it, is hidden.
  public let isHidden: Bool
  /// Whether it covers the rest of its window, or would while it is active.
  public let isModal: Bool
  /// Whether a reader stops at it; containers are not stopped at.
  public let isStop: Bool
  /// How many characters its hidden texts have, as in `1-8`; nil where it has none.
  public let redacted: String?

  package init(_ sight: Model.ElementSight) {
    id = sight.element.text
    level = sight.level
    label = sight.spoken.label.map(Self.text)
    value = sight.spoken.value.map(Self.text)
    hint = sight.spoken.hint.map(Self.text)
    traits = sight.traits.compactMap(AppElement.Trait.init)
    frame = sight.frame
    isHidden = sight.isHidden
    isModal = sight.isModal
    isStop = sight.isStop
    redacted = sight.spoken.redacted?.rawValue
  }

  /// What stands between the quotes of a JSON string.
  private static func text(_ written: [UInt8]) -> String {
    let plain = String(decoding: written, as: UTF8.self)
    guard written.contains(UInt8(ascii: "\\")) else { return plain }
    return JSONValue(json: "\"\(plain)\"")?.string ?? plain
  }
}
