// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The bounds of the presenter's queues, tables and waits.
///
/// Settings of the rules are not here.
public enum Bounds {
  /// Events that wait for their turn, over all apps; and those of them that are low.
  static let pending = Limits.pending
  static let pendingLow = 9
  /// High ones of one app that wait; beyond that its oldest are counted.
  static let pendingHighOfApp = 9
  /// Focus moves that wait.
  static let pendingFocus = 4
  /// Events of one storm that are kept one by one; beyond that they are counted.
  static let stormEvents = 1_024

  /// Rows of each table that grows with what apps do.
  static let rows = 4_096
  /// Actions whose feedback is still told apart.
  static let actions = 256
  /// Elements that make a storm; its row remembers no more of them.
  static let stormElements = 10

  /// Characters of one utterance.
  static let spokenCharacters: Int64 = 4_000
  /// Speech of the same app as short as this is finished before an app's own focus speech.
  static let shortAnnouncement: Int64 = 30

  /// How long what comes from an app counts as feedback of the user's last action there.
  static let feedback = TimeSpan.seconds(1)
  /// A held event is queued after this, whatever feedback there still is to be heard.
  static let held = TimeSpan.milliseconds(700)
  /// The same page text within this is told to be the end of the pages.
  static let boundary = TimeSpan.seconds(60)
  /// A reader that was cut says within this how far it came.
  static let cutReport = TimeSpan.milliseconds(500)
  /// An event that was cut is begun anew within this.
  static let again = TimeSpan.seconds(3)
  /// A reader may come or come back within this before anything ends for want of one.
  static let grace = TimeSpan.seconds(5)
  /// An event that a reader had begun waits so long for another to begin anew: until one may have
  /// come back, and as long as anything else that was cut.
  static let comeback = grace + again
  /// A reader that reports every end has so long beyond twice the time that speech should take.
  static let reporting = TimeSpan.seconds(20)
  /// …and so long to say how far it came in what was cut.
  static let reportedCut = TimeSpan.seconds(3)
  /// An event is given up that readers have lost in so many outages.
  static let deliveries: Int64 = 3
  /// In an outage an event is offered once in this time.
  static let offer = TimeSpan.seconds(5)
  /// An event without a time to start is offered for so long in an outage.
  static let outage = TimeSpan.seconds(600)
  /// A message that lets others end first has so long to start.
  static let queuedLife = TimeSpan.seconds(60)
  /// Another program may speak for so long before what a reader was given.
  static let otherSpeech = TimeSpan.seconds(300)
  /// Deliveries of which a reader has told no end, or no good one.
  static let pastDeliveries = 64
  /// Deliveries that the user can have repeated by their seq, and the bytes of their texts; of what
  /// is older he is told that it cannot be repeated.
  static let echoes = 32
  static let echoBytes = 262_144
  /// Speech that was held when somebody asked for silence may go on within this.
  static let hush = TimeSpan.seconds(600)
  /// A deliver that comes later than this says so.
  static let late = TimeSpan.seconds(1)
  /// An app's pause.
  static let pause = TimeSpan.seconds(30)
  /// The next sentence of a screen reader comes within this.
  static let lull = TimeSpan.milliseconds(500)
  /// Readings of one screen reader that wait, beside the others; beyond that the oldest go.
  static let pendingReadings = 256
  /// A reader that is read by hand says so anew within this.
  static let reading = TimeSpan.seconds(600)
  /// An app answers within this whether it has handled a gesture.
  static let gesture = TimeSpan.seconds(1)
  /// Gestures that wait for an answer.
  static let gestures = 64
  /// For so long after the user has gone somewhere nothing that comes by itself takes him away.
  static let navigation = TimeSpan.seconds(1)
  /// An app is granted the focus in a window so often, and so many times at once.
  static let wish = TimeSpan.milliseconds(500)
  static let wishes: Int64 = 2
  /// For so long after a new screen its app's own focus moves are not followed.
  static let newScreen = TimeSpan.milliseconds(200)
  /// An event so long after the user's last action in its app may name that as its cause.
  static let answer = TimeSpan.seconds(10)
  /// Apps that a summary names; beyond that it speaks of others.
  static let namedApps = 4
}
