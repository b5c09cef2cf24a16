// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// Words that are to be told, with the way on which they came.
struct Words {
  var text: String
  let source: SourceObject
  /// The objects within the source whose texts are among the words.
  var inner: [SourceObject]
  let way: ForeignApp.Ear
  let isAssertive: Bool
  let kind: AnnouncementClass?
  /// The element that the news is about.
  let element: SourceObject
  /// The object that begins their region.
  var root: SourceObject
  /// The language, if it is another than that of the session.
  var language: String?
  /// Whether they stand in the place of others, so that the newest are the ones that count.
  var isReplacement = false
  /// Whether they are a new text of a page, to which more may be written.
  var mayGrow = false
  /// Whether a space stands behind them, where more may follow.
  var hasSpace = false
  /// Whether they stood on the page already, before it went and came back.
  var isReturn = false

  init(
    _ text: String,
    of source: SourceObject,
    inner: [SourceObject] = [],
    on way: ForeignApp.Ear,
    isAssertive: Bool,
    kind: AnnouncementClass? = nil,
    element: SourceObject? = nil
  ) {
    self.text = text
    self.source = source
    self.inner = inner
    self.way = way
    self.isAssertive = isAssertive
    self.kind = kind
    self.element = element ?? source
    root = source
  }

  /// Words of a live region.
  ///
  /// News of a kind are about the region as a whole, since the newest replaces those before it.
  init(
    _ text: String,
    of source: SourceObject,
    inner: [SourceObject] = [],
    on way: ForeignApp.Ear,
    in known: SourceFacts
  ) {
    let kind = known.regionKind
    self.init(
      text,
      of: source,
      inner: inner,
      on: way,
      isAssertive: known.isAssertive ?? false,
      kind: kind,
      element: kind == nil ? source : known.region?.root ?? source
    )
    language = known.language
    root = known.region?.root ?? source
    let isText = way == .insertion || way == .surroundings
    let isMessage = kind == nil || kind == .chat
    mayGrow = isText && isMessage && known.isOfPage && !isAssertive
  }
}

extension Words {
  /// Whether more is likely to follow: one or two words, and no end of a sentence.
  var isBeginning: Bool {
    let isShort = text.split(separator: " ", maxSplits: 2).count <= 2
    return mayGrow && !isReplacement && isShort && text.last?.isPunctuation == false
  }
}

/// Words that wait for what may come with them.
struct HeldNews {
  enum Reason {
    /// A new object of a page: a page that ends loading now has brought it along.
    case arrival
    /// A text that has gone: a new text in its place is a change, and no removal.
    case removal
  }

  /// The time at which they came.
  let time: Int64
  let due: Int64
  let reason: Reason
  var words: Words
}
