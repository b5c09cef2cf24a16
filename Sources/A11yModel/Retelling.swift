// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// Events that tell once more what an app has shown, to a bus that knows nothing of it.
///
/// Windows follow the order of their arrival, each with its elements; the active one is activated
/// last, when everything is there. Secrets are not told, because the model does not have them.
public struct Retelling: Sendable {
  /// Bytes from which on an event of elements is full; the element that exceeds them still fits a
  /// line.
  private static let fullEvent = 16_384

  private let model: Model
  private let app: AppKey
  private let windows: [Name]
  private let sensitive: Sensitive
  private var step = Step.window(0)

  /// Windows and elements that came in sensitive events, and are told in sensitive ones again.
  public struct Sensitive: Sendable, Equatable {
    public var titles: Set<Name> = []
    public var elements: [Name: Set<Name>] = [:]

    public init() {}
  }

  private enum Step {
    case window(Int)
    case elements(Int, from: Tree.Slot, isFirst: Bool)
    case activation
    case end
  }

  /// Retells these windows of an app.
  public init(_ model: Model, of app: AppKey, windows: [Name], sensitive: Sensitive) {
    self.model = model
    self.app = app
    self.sensitive = sensitive
    let known = model.apps[app]?.windows ?? [:]
    self.windows = windows.filter { known[$0] != nil }
      .sorted { (known[$0]?.arrival ?? 0) < (known[$1]?.arrival ?? 0) }
  }

  /// Appends the next event as JSON; false where that was all.
  public mutating func writeNext(into out: inout ByteBuffer) -> Bool {
    while true {
      switch step {
      case .window(let index) where index < windows.count:
        writeWindow(windows[index], into: &out)
        let first = tree(index).first
        step =
          first == .none ? .window(index + 1) : .elements(index, from: first, isFirst: true)
        return true
      case .window: step = .activation
      case .elements(let index, let slot, let isFirst):
        let rest = writeElements(of: index, from: slot, isFirst: isFirst, into: &out)
        step = rest == .none ? .window(index + 1) : .elements(index, from: rest, isFirst: false)
        return true
      case .activation:
        step = .end
        guard let active = model.active, active.app == app, windows.contains(active.window) else {
          return false
        }
        out.object {
          writeHead("window", active.window, into: &$0)
          $0.append(member: "state", KnownWindow.State.active.rawValue)
        }
        return true
      case .end: return false
      }
    }
  }

  private func tree(_ index: Int) -> Tree {
    model.apps[app]?.windows[windows[index]]?.tree ?? Tree()
  }

  private func writeHead(_ type: StaticString, _ window: Name, into out: inout ByteBuffer) {
    out.append(member: "type", type.description)
    out.append(member: "window", window.text)
  }

  private func writeWindow(_ name: Name, into out: inout ByteBuffer) {
    guard let window = model.apps[app]?.windows[name] else { return }
    out.object { out in
      writeHead("window", name, into: &out)
      let state = window.state == .active ? KnownWindow.State.opened : window.state
      out.append(member: "state", state.rawValue)
      if let title = window.title { out.append(member: "title", title) }
      // A cover that is an element is made again when the element is told.
      out.append(member: "modal", window.covers.contains { $0.element == nil })
      if model.locks.contains(WindowPlace(app: app, window: name)) {
        out.append(member: "lock", true)
      }
      if sensitive.titles.contains(name) { out.append(member: "sensitive", true) }
    }
  }

  /// Writes one event with elements that are all sensitive or all not, and returns the next place.
  private func writeElements(
    of index: Int,
    from first: Tree.Slot,
    isFirst: Bool,
    into out: inout ByteBuffer
  ) -> Tree.Slot {
    let tree = tree(index)
    let secret = sensitive.elements[windows[index]] ?? []
    let isSensitive = secret.contains(tree.name(first))
    let start = out.count
    var slot = first
    out.object { out in
      writeHead("elements", windows[index], into: &out)
      if isSensitive { out.append(member: "sensitive", true) }
      out.array(isFirst ? "replace" : "upsert") { out in
        while slot != .none, out.count - start < Self.fullEvent {
          let name = tree.name(slot)
          guard secret.contains(name) == isSensitive else { break }
          out.separate()
          tree.element(slot)?.writeRetold(name, parent: tree.parent(of: slot), into: &out)
          slot = tree.next(after: slot)
        }
      }
    }
    return slot
  }
}
