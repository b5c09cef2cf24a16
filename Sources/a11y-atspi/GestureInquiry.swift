// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

/// A gesture of the user, carried out by a foreign program.
struct GestureInquiry {
  let inquiry: SourceInquiry
  let source: SourceObject
  let name: String

  static let action = "org.a11y.atspi.Action"
  private static let component = "org.a11y.atspi.Component"
  private static let value = "org.a11y.atspi.Value"
  /// Names of the actions that using a control means, in the order of toolkits.
  private static let uses = ["click", "press", "activate", "jump", "toggle", "open", "select"]
  /// The place on the screen to which an object is scrolled: anywhere.
  private static let anywhere: UInt32 = 6
  /// Steps between the bounds of a value whose program names none.
  private static let steps = 20.0

  /// Carries it out; the answer is whether the program has done it.
  func perform(_ onEnd: @escaping (Bool) -> Void) {
    switch name {
    case "focus": request("GrabFocus", in: Self.component, [], onEnd)
    case "scroll": request("ScrollTo", in: Self.component, [.uint32(Self.anywhere)], onEnd)
    case "increment": change(by: 1, onEnd)
    case "decrement": change(by: -1, onEnd)
    case "activate": act(Self.uses, elseFirst: true, onEnd)
    default: act([name], elseFirst: false, onEnd)
    }
  }

  private func request(
    _ member: String,
    in interface: String,
    _ values: [DBusValue],
    _ onEnd: @escaping (Bool) -> Void
  ) {
    inquiry.call(source, member, in: interface, values) { onEnd($0.first?.flag ?? false) }
  }

  /// Has the program do the first action of these names.
  private func act(_ names: [String], elseFirst: Bool, _ onEnd: @escaping (Bool) -> Void) {
    inquiry.call(source, "GetActions", in: Self.action) { answer in
      let known = (answer.first?.members ?? []).map { $0.members.first?.text?.lowercased() ?? "" }
      let wanted = names.lazy.compactMap { known.firstIndex(of: $0.lowercased()) }.first
      guard let index = wanted ?? (elseFirst && !known.isEmpty ? 0 : nil) else {
        return onEnd(false)
      }
      request("DoAction", in: Self.action, [.int32(Int32(index))], onEnd)
    }
  }

  /// Raises or lowers a value by one step.
  private func change(by direction: Double, _ onEnd: @escaping (Bool) -> Void) {
    let names = ["CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement"]
    inquiry.askValue(source, names) { answers in
      guard let present = answers[0]?.real else {
        return act([direction > 0 ? "increment" : "decrement"], elseFirst: false, onEnd)
      }
      let lowest = answers[1]?.real ?? -.infinity
      let highest = answers[2]?.real ?? .infinity
      let told = answers[3]?.real ?? 0
      let span = highest - lowest
      let step = told > 0 ? told : span.isFinite && span > 0 ? span / Self.steps : 1
      let wanted = min(highest, max(lowest, present + direction * step))
      guard wanted != present else { return onEnd(false) }
      inquiry.change(source, "CurrentValue", in: Self.value, to: .double(wanted), onEnd)
    }
  }
}
