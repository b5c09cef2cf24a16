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
