// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Words by which hints speak of gestures.
///
/// A gesture is meant only where the hint tells somebody to make it: there are settings for
/// “double tap to wake”, and tap water.
enum GestureWords {
  /// Orders at the beginning of a clause, before one of `follow` or the clause's end.
  static let orders: [[WordKey]] = [
    ["double", "tap"], ["double-tap"], ["doubletap"], ["triple", "tap"], ["triple-tap"],
    ["long", "press"], ["long-press"], ["press", "and", "hold"], ["tap", "and", "hold"], ["tap"],
    ["swipe"], ["flick"], ["pinch"], ["click"], ["double-click"], ["double", "click"],
  ]

  static let orderOpeners = WordTable(orders.map { $0[0] })

  static let follow: WordTable = [
    "a", "across", "an", "and", "down", "from", "here", "it", "left", "on", "once", "or", "right",
    "the",
    "this", "to", "twice", "up", "with", "again", "anywhere",
  ]

  /// Words behind which a clause goes on as from its beginning.
  static let clauseOpeners: WordTable = [
    "you", "then", "please", "bitte", "dann", "doppelt", "zweimal",
  ]

  /// Words before a gesture as a tool: “with a swipe”.
  static let tools: WordTable = ["with", "by", "use", "via"]

  static let gerunds: WordTable = [
    "tapping", "double-tapping", "swiping", "flicking", "pinching", "clicking", "double-clicking",
  ]

  /// Words that ask for a gesture at the beginning of a clause.
  static let german: WordTable = [
    "doppeltippen", "doppelklicken", "doppelklick", "doppeltipp", "tippe", "tippen", "wische",
    "wischen",
    "klicke", "klicken",
  ]

  /// Words that go on behind such a word, which may mean other things, too.
  static let germanFollow: WordTable = [
    "sie", "zum", "um", "auf", "hier", "nach", "doppelt", "zweimal", "und", "mit", "dann",
  ]
}
