// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

/// The dialogs around objects that were climbed from.
struct DialogTable {
  private var dialogs: [SourceObject: ControlFacts.Dialog?] = [:]

  private static let most = 512

  /// The dialog around an object, or none; nil where it is not known.
  subscript(source: SourceObject) -> ControlFacts.Dialog?? { dialogs[source] }

  mutating func learn(_ dialog: ControlFacts.Dialog?, around objects: [SourceObject]) {
    if dialogs.count + objects.count > Self.most { dialogs = [:] }
    for object in objects { dialogs[object] = .some(dialog) }
  }

  mutating func removeAll() { dialogs = [:] }
}

/// The way from the control with the focus up to the dialog around it, if there is one.
///
/// Neighbours have the way above them in common, which is asked for once.
final class DialogClimb {
  private let inquiry: SourceInquiry
  private var place: SourceObject
  private var facts: SourceFacts?
  private var way: [SourceObject] = []
  /// A chooser, which stands in a dialog or is one itself.
  private var chooser: ControlFacts.Dialog?

  /// Objects between a control and its window; pages have the most.
  private static let mostSteps = 48

  init(from source: SourceObject, _ facts: SourceFacts, asking inquiry: SourceInquiry) {
    self.inquiry = inquiry
    place = source
    self.facts = facts
  }

  /// Goes up, and answers with the dialog.
  func proceed(_ onEnd: @escaping (ControlFacts.Dialog?) -> Void) {
    if let facts, facts.isDialog {
      let dialog = ControlFacts.Dialog(place, facts)
      guard facts.role.isChooser else { return end(dialog, onEnd) }
      chooser = chooser ?? dialog
    }
    guard way.count < Self.mostSteps else { return end(chooser, onEnd) }
    inquiry.property("Parent", of: place) { parent in
      guard let above = SourceInquiry.object(parent, of: self.place.sender) else {
        return self.end(self.chooser, onEnd)
      }
      if let known = self.inquiry.dialogs[above] { return self.end(known, onEnd) }
      self.way.append(above)
      self.place = above
      self.inquiry.call(above, "GetRole") { answer in
        guard let role = answer.first?.number.map(AtspiRole.init) else {
          return self.end(nil, onEnd)
        }
        self.facts = nil
        guard role.isDialog else { return self.proceed(onEnd) }
        self.inquiry.askFacts(above) { facts in
          self.facts = facts
          self.proceed(onEnd)
        }
      }
    }
  }

  private func end(
    _ dialog: ControlFacts.Dialog?,
    _ onEnd: (ControlFacts.Dialog?) -> Void
  ) {
    inquiry.dialogs.learn(dialog, around: way)
    onEnd(dialog)
  }
}
