// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
internal import A11yWire

/// The windows on the bus, their elements, and the focus.
///
/// The model folds entries with the bus's own code, so that after every entry it says what the bus
/// says. Give it the items of a subscription, one after the other:
///
///     var model = FocusModel()
///     for try await item in client.entries(from: .start) {
///       model.apply(item)
///       print(model.focus?.element ?? "nowhere")
///     }
///
/// From the start of the log the model knows everything. A subscription that begins with the
/// `state` knows windows and focus at once, but of elements only those told from then on; windows
/// of an app that leaves without closing them stay until the app is back.
public struct FocusModel: Sendable, Equatable {
  /// The fold itself.
  package private(set) var model: Model
  /// Whether some windows came from a state, which does not name the users of their apps.
  private var hasStrangers = false

  /// A model that knows nothing yet.
  public init() { model = Model() }

  /// Goes on from a model that was folded elsewhere.
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

  /// Folds an entry.
  ///
  /// - Parameter entry: The next entry; entries that a filter has left out are simply missing.
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

  /// Folds an item of a subscription.
  ///
  /// - Parameter item: An entry, or a mark; with the mark `state` everything begins anew, and most
  ///   other marks say nothing of focus and windows.
  public mutating func apply(_ item: SubscriptionItem) {
    switch item {
    case .entry(let entry): apply(entry)
    case .mark(.state(let state, _)): self = FocusModel(state: state)
    case .mark(.anotherLog): self = FocusModel()
    case .mark: break
    }
  }

  // MARK: Asking

  /// The place of the focus; nil while it is nowhere.
  public var focus: Focus? {
    guard let spot = model.focusSpot, let seq = model.focusSeq else { return nil }
    return Focus(
      seq: seq.number,
      app: spot.app.app.text,
      window: spot.window.text,
      element: spot.element.text
    )
  }

  /// The place for which an app has asked for the focus in vain, if it is still there.
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

  /// All windows, in the order of their opening.
  public var windows: [Window] { model.windowSights.map(Window.init) }

  /// The elements of a window, in reading order, containers and hidden ones too.
  ///
  /// - Parameters:
  ///   - window: The window's id.
  ///   - app: The app that it belongs to.
  /// - Returns: The elements; none for an unknown window.
  public func elements(of window: String, app: String) -> [SeenElement] {
    guard let key = key(app, window) else { return [] }
    var elements: [SeenElement] = []
    model.eachSight(in: Name(window), of: key) { elements.append(SeenElement($0)) }
    return elements
  }

  /// One element.
  ///
  /// - Parameters:
  ///   - id: The element's id.
  ///   - window: The window's id.
  ///   - app: The app that it belongs to.
  /// - Returns: The element; nil where it is unknown.
  public func element(_ id: String, of window: String, app: String) -> SeenElement? {
    guard let key = key(app, window) else { return nil }
    let spot = Model.Spot(app: key, window: Name(window), element: Name(id))
    return model.sight(of: spot).map(SeenElement.init)
  }

  /// The key of an app by its name; of two users' apps with one name, the one whose window came
  /// first.
  private func key(_ app: String, _ window: String) -> AppKey? {
    model.windowSights.first { $0.app.app == Name(app) && $0.window == Name(window) }?.app
  }
}

extension FocusModel {
  /// The place of the focus.
  public struct Focus: Hashable, Sendable {
    /// The seq of the `focus` entry, which an app passes on as `basis`.
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
    /// The seq of the event that asked for it.
    public let seq: Int64
    /// The app whose element it is.
    public let app: String
    /// The id of the window.
    public let window: String
    /// The id of the element; for a container, its first element is meant.
    public let element: String
    /// The reason why the focus did not move there, in the protocol's words.
    public let reason: String
  }

  /// A window, as far as its app has told of it.
  public struct Window: Hashable, Sendable {
    /// The app that it belongs to.
    public let app: String
    /// The id of the app's choice.
    public let id: String
    /// The title.
    public let title: String?
    /// Whether the user works in it, as far as that is known.
    public let state: WindowState
    /// Whether the window, or an element in it, covers the rest of its app.
    public let isModal: Bool
    /// The last element in this window that had the focus.
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
  /// The number of containers around it.
  public let level: Int
  /// The label; an element without one has the labels of the elements in it.
  public let label: String?
  /// The value; nil also where it is a secret.
  public let value: String?
  /// The effect of using it.
  public let hint: String?
  /// The traits: its kind and its state.
  public let traits: [AppElement.Trait]
  /// The word for what it is, where its app has told it.
  public let role: String?
  /// Whether it is checked, pressed or on; nil for what cannot be.
  public let checked: AppElement.Checked?
  /// Whether what belongs to it is shown; nil for what does not open.
  public let isExpanded: Bool?
  /// Whether it must be filled in.
  public let isRequired: Bool
  /// Whether its value is not accepted.
  public let isInvalid: Bool
  /// Its place, from 1, of so many that belong together.
  public let place: Place?
  /// Left, top, width and height on the screen, if its app has told.
  public let frame: [Int64]?
  /// Whether the element, or a container around it, is hidden.
  public let isHidden: Bool
  /// Whether it covers the rest of its window, or would while it is active.
  public let isModal: Bool
  /// Whether a reader stops at it; containers are not stopped at.
  public let isStop: Bool
  /// The rough number of characters in its hidden texts, as in `1-8`; nil where it has none.
  public let redacted: String?

  /// A place, from 1, among elements that belong together.
  public struct Place: Hashable, Sendable {
    /// The place, from 1.
    public let index: Int64
    /// How many they are.
    public let count: Int64
  }

  package init(_ sight: Model.ElementSight) {
    id = sight.element.text
    level = sight.level
    label = sight.spoken.label.map(Self.text)
    value = sight.spoken.value.map(Self.text)
    hint = sight.spoken.hint.map(Self.text)
    traits = sight.traits.compactMap(AppElement.Trait.init)
    role = sight.spoken.role.map(Self.text)
    let states = sight.spoken.states
    checked = states.checked.map { $0 == .yes ? .yes : $0 == .no ? .no : .mixed }
    (isExpanded, isRequired, isInvalid) = (states.isExpanded, states.isRequired, states.isInvalid)
    place = sight.spoken.place.map { Place(index: $0.index, count: $0.count) }
    frame = sight.frame
    isHidden = sight.isHidden
    isModal = sight.isModal
    isStop = sight.isStop
    redacted = sight.spoken.redacted?.rawValue
  }

  /// The text of a JSON string, given without its quotes.
  private static func text(_ written: [UInt8]) -> String {
    let plain = String(decoding: written, as: UTF8.self)
    guard written.contains(UInt8(ascii: "\\")) else { return plain }
    return JSONValue(json: "\"\(plain)\"")?.string ?? plain
  }
}
