// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

/// The way from an object of a live region up to the objects that make it news: the one that begins
/// the region, and those that are atomic or busy.
final class RegionClimb {
  private let inquiry: SourceInquiry
  private let needsAtomic: Bool
  private let needsBusy: Bool
  private var region: LiveRegion
  private var isRootFound = false
  private var place: SourceObject
  private var steps = 0

  /// Objects between a text and its region; pages have few.
  private static let mostSteps = 8

  /// Nil where an object stands for itself.
  init?(from source: SourceObject, _ facts: SourceFacts, asking inquiry: SourceInquiry) {
    needsAtomic = facts.isAtomic
    needsBusy = facts.isBusy
    self.inquiry = inquiry
    place = source
    region = LiveRegion(root: source, role: facts.role)
    guard facts.isLive else { return nil }
    let isPartOfPage = facts.isOfPage && !facts.isRegion
    consider(source, facts)
    guard !isDone, isPartOfPage || needsAtomic || needsBusy else { return nil }
  }

  /// Goes up, and answers with the region as far as it was found.
  func proceed(_ onEnd: @escaping (LiveRegion) -> Void) {
    guard !isDone, steps < Self.mostSteps else { return onEnd(region) }
    steps += 1
    inquiry.property("Parent", of: place) { parent in
      guard let above = SourceInquiry.object(parent, of: self.place.sender) else {
        return onEnd(self.region)
      }
      self.inquiry.askFacts(above) { facts in
        guard let facts, facts.isLive else { return onEnd(self.region) }
        self.place = above
        self.consider(above, facts)
        self.proceed(onEnd)
      }
    }
  }

  private var isDone: Bool {
    isRootFound && (!needsAtomic || region.atomic != nil) && (!needsBusy || region.busy != nil)
  }

  private func consider(_ source: SourceObject, _ facts: SourceFacts) {
    if !isRootFound { (region.root, region.role) = (source, facts.role) }
    isRootFound = isRootFound || facts.isRegion
    let isAtomic = facts.attributes["atomic"] == "true" || facts.isRegion
    if needsAtomic, region.atomic == nil, facts.isAtomic, isAtomic { region.atomic = source }
    if needsBusy, region.busy == nil, facts.attributes["busy"] == "true" { region.busy = source }
  }
}

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

/// A look into new objects of a page for live regions, which come with their texts.
///
/// Chromium tells the text of such a region as one that comes; Firefox tells the place of the
/// object in the page around it alone. A message that appears is a region, perhaps in a box or two;
/// objects with other things in them are a part of a page, whose regions tell their changes later.
final class RegionSearch {
  private let inquiry: SourceInquiry
  private var ahead: [SourceObject]
  private var asked = 0
  private var found: [SourceObject] = []

  private static let mostObjects = 8

  init(in objects: [SourceObject], asking inquiry: SourceInquiry) {
    self.inquiry = inquiry
    ahead = objects
  }

  func proceed(_ onEnd: @escaping ([SourceObject]) -> Void) {
    guard !ahead.isEmpty else { return onEnd(found) }
    guard asked < Self.mostObjects else { return onEnd([]) }
    let source = ahead.removeFirst()
    asked += 1
    var isRegion = false
    inquiry.call(source, "GetAttributes") { answer in
      isRegion = answer.first?["live"]?.text.map { $0 != "off" } ?? false
    }
    inquiry.askChildren(source) { children in
      if isRegion {
        self.found.append(source)
      } else if children.isEmpty {
        return onEnd([])
      } else {
        self.ahead += children
      }
      self.proceed(onEnd)
    }
  }
}
