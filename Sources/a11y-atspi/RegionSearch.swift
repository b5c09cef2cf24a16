// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

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
