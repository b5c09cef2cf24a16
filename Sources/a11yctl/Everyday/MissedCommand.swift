// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// Tells the texts that were published and not heard, and why.
struct MissedCommand: Command {
  static let name = "missed"
  static let summary = "tell the texts that were not heard, by reason and app"
  static let notes = """
    Tells how many texts of each app were not heard or not to their end, why, and the last of each
    kind; then the texts that still wait. Secret texts stay hidden. a11yctl explain SEQ says more
    of an entry.
    \(Beginning.notes)
    \(ReadingOptions.busNotes)
    """

  private static let usual: Int64 = 86_400_000_000

  @Operands(atMost: 1) private var words: [String]
  @Option("app", "NAME", "only what this app has said") private var app: String?
  private let reading = ReadingOptions(
    usually: "\"1 day ago\"",
    orOf: BusSocket(),
    takesWord: false
  )

  func run(_ output: Output) throws(Failure) {
    let now = SystemClock.wallMicroseconds()
    let source = try reading.source(for: .state, words, output)
    let since = try reading.beginning.time(source.time) ?? now - Self.usual
    let state = try source.state()
    let report = try source.fold(MissedReport(since: since, of: app))
    let waiting = report.waiting(in: state)
    output.lines(MissedWords.sentences(report, waiting: waiting, since: since, now: now))
    guard let app, report.hasNothing, waiting.isEmpty else { return }
    output.lines(reading.strangers(app, words))
  }
}

/// The texts that were published since a moment and not heard, by reason and app.
struct MissedReport: EntryFold {
  /// A text that an app has published.
  struct Text: Equatable {
    let seq: Int64
    let time: Int64
    let app: String
    let words: String
  }

  struct Group: Hashable {
    let reason: MissedReason
    let app: String
    /// Whether a part of each was heard.
    var isPart = false
  }

  struct Findings {
    var count: Int64 = 0
    /// The last texts.
    var examples: [Text] = []
  }

  let types: [String]? =
    [EventType.announcement, .layoutChanged, .screenChanged, .pageScrolled].map(\.rawValue)
    + [EventType.Own.outcome.rawValue]

  /// The texts that are shown of each kind: enough to see what it was about.
  private static let examples = 3
  /// The texts without an end that are kept: far more than the bus lets wait.
  private static let most = 4_096

  let since: Int64?
  /// The app whose texts alone are wanted.
  private let wanted: String?
  /// The texts that were heard, to their end or in part.
  private(set) var heard: Int64 = 0
  private(set) var groups: [Group: Findings] = [:]
  /// The texts without an end yet, the oldest first.
  private var open: [Int64: Text] = [:]
  private var order: [Int64] = []
  private var reachesBack = false

  init(since: Int64, of app: String?) {
    self.since = since
    wanted = app
  }

  /// Whether no text of the app was found, heard or not.
  var hasNothing: Bool { heard == 0 && groups.isEmpty }

  /// Whether entries from before the moment were seen.
  var isEnough: Bool { reachesBack }

  mutating func take(_ entry: Entry) {
    guard entry.time >= since ?? .min else {
      reachesBack = true
      return
    }
    if let ending = EventEnding(entry), let of = entry.integer("of") {
      guard let text = open.removeValue(forKey: of) else { return }
      if ending.heardPart?.isHeard ?? true { heard += 1 }
      if let reason = MissedReason(ending) {
        sort(text, Group(reason: reason, app: text.app, isPart: ending.heardPart == .part))
      }
      return
    }
    guard let words = EntryWords.spoken(entry), wanted == nil || entry.app == wanted else { return }
    open[entry.seq] = Text(seq: entry.seq, time: entry.time, app: entry.app, words: words)
    order.append(entry.seq)
    guard order.count > 2 * Self.most else { return }
    for seq in order.prefix(Self.most) { open[seq] = nil }
    order.removeFirst(Self.most)
  }

  private mutating func sort(_ text: Text, _ group: Group) {
    groups[group, default: Findings()].count += 1
    groups[group]?.examples.append(text)
    if groups[group]?.examples.count ?? 0 > Self.examples {
      groups[group]?.examples.removeFirst()
    }
  }

  /// The groups, with those nearest to a loss first.
  var sorted: [(key: Group, value: Findings)] {
    groups.sorted { one, other in
      let (a, b) = (one.key, other.key)
      if a.isPart != b.isPart { return b.isPart }
      if a.reason.rank != b.reason.rank { return a.reason.rank < b.reason.rank }
      if a.reason.clause != b.reason.clause { return a.reason.clause < b.reason.clause }
      if a.app != b.app { return a.app < b.app }
      // Several obstacles have the same words.
      return one.value.examples.last?.seq ?? 0 < other.value.examples.last?.seq ?? 0
    }
  }

  /// The texts that wait, of those that the bus's state says are waiting, with the obstacle.
  func waiting(in state: JSONValue?) -> [(text: Text, obstacle: Obstacle?)] {
    (state?["pending"]?.list ?? []).compactMap { item in
      guard item["state"]?.string != "speaking", let seq = item["seq"]?.integer,
        let text = open[seq]
      else { return nil }
      return (text, item["by"]?.string.flatMap(Obstacle.init))
    }
  }
}

/// The texts that were missed, as sentences.
enum MissedWords {
  static func sentences(
    _ report: MissedReport,
    waiting: [(text: MissedReport.Text, obstacle: Obstacle?)],
    since: Int64,
    now: Int64
  ) -> [String] {
    func sum(isPart: Bool) -> Int64 {
      report.groups.reduce(0) { $0 + ($1.key.isPart == isPart ? $1.value.count : 0) }
    }
    let (missed, parts) = (sum(isPart: false), sum(isPart: true))
    let moment =
      ClockTime.day(since) == ClockTime.day(now)
      ? ClockTime.local(since) : ClockTime.dayAndTime(since)
    let heard =
      report.heard.counted("text", "was") + " heard"
      + (parts == 0 ? "" : ", \(parts) of them in part")
    var lines = [
      missed == 0
        ? "Since \(moment), nothing was missed; \(heard)."
        : "Since \(moment), \(heard), and \(missed) \(missed.verbed("was")) not."
    ]
    for (group, findings) in report.sorted {
      let texts = findings.count.counted("text", "was")
      let extent = group.isPart ? "heard in part" : "not heard"
      let clause = group.reason.clause(of: findings.count)
      lines.append("\(group.app): \(texts) \(extent), because \(clause).")
      lines += findings.examples.map { "  " + example($0, now: now) }
    }
    lines += groups(waiting).flatMap { group in
      let texts = group.texts.count.counted("text", "waits")
      return ["\(group.app): \(texts) \(group.clause)."]
        + group.texts.suffix(3).map { "  " + example($0, now: now) }
    }
    return lines.map(VisibleText.of)
  }

  /// “Entry 41, 2 minutes ago: Saved”.
  private static func example(_ text: MissedReport.Text, now: Int64) -> String {
    "Entry \(text.seq), \(AgeWords.age(of: text.time, now: now)): \(text.words)"
  }

  private static func groups(
    _ waiting: [(text: MissedReport.Text, obstacle: Obstacle?)]
  ) -> [(app: String, clause: String, texts: [MissedReport.Text])] {
    var groups: [(app: String, clause: String, texts: [MissedReport.Text])] = []
    for (text, obstacle) in waiting {
      let clause = MissedReason.waiting(for: obstacle)
      if let place = groups.firstIndex(where: { $0.app == text.app && $0.clause == clause }) {
        groups[place].texts.append(text)
      } else {
        groups.append((text.app, clause, [text]))
      }
    }
    return groups
  }
}

/// The reason why a text was not heard, without the numbers of the single case.
///
/// In the order in which they are told: the nearer to a loss, the earlier.
enum MissedReason: Hashable {
  case expired(Obstacle?)
  case noReader
  case readerOff
  /// Somebody else sat at the machine.
  case away
  case locked
  /// The reader had it, and could not speak it.
  case failed
  /// It was secret, and gone when the bus came back.
  case secret
  case cut
  case muted
  case background
  case media
  case modal
  /// A rule of a file, or another one that keeps events on record.
  case rule(String)
  case stopped
  /// A summary counts it.
  case counted
  case withdrawn
  case newer
  case repeated
  case other(String)

  /// The reason of an ending; nil where the text was heard.
  init?(_ ending: EventEnding) {
    let why = ending.why
    switch ending.known {
    case .heard, .handled: return nil
    case .unhandled: return nil
    case .expired: self = .expired(why.heldBy)
    case .undeliverable:
      if why.isSensitive {
        self = .secret
      } else if why.reason == .noReader {
        self = .noReader
      } else {
        self = why.reason == .readerOff ? .readerOff : why.reason == .away ? .away : .failed
      }
    case .interrupted: self = Self.isByUser(ending.ownRule) ? .stopped : .cut
    case .inhibited, .denied: self = Self.refusal(ending)
    case .summarised: self = .counted
    case .cancelled: self = .withdrawn
    case .coalesced, .superseded: self = .newer
    case .duplicate: self = .repeated
    case nil: self = .other(ending.result)
    }
  }

  private static func refusal(_ ending: EventEnding) -> MissedReason {
    switch ending.denialReason {
    case .background: return .background
    case .mediaSession: return .media
    case .locked: return .locked
    case .modal: return .modal
    default: return ending.rule == Mute.rule ? .muted : .rule(ending.rule)
    }
  }

  private static func isByUser(_ rule: OwnRule?) -> Bool {
    rule == .stop || rule == .escape || rule == .repeat || rule == .pause
  }

  /// The place in the order of telling.
  var rank: Int {
    switch self {
    case .expired: 0
    case .noReader: 1
    case .readerOff: 2
    case .away: 3
    case .failed: 4
    case .secret: 5
    case .cut: 6
    case .muted: 7
    case .background: 8
    case .locked: 9
    case .media: 10
    case .modal: 11
    case .rule: 12
    case .stopped: 13
    case .counted: 14
    case .withdrawn: 15
    case .newer: 16
    case .repeated: 17
    case .other: 18
    }
  }

  /// The reason in a clause about one text.
  var clause: String { clause(of: 1) }

  /// The reason in a clause about so many texts.
  func clause(of count: Int64) -> String {
    let (it, them, their) = count == 1 ? ("it", "it", "its") : ("they", "them", "their")
    let was = count.verbed("was")
    return switch self {
    case .expired(nil): "\(it) came too late to be worth saying"
    case .expired(.readerOff?): "no screen reader was there to speak \(them) in time"
    case .expired(.doNotDisturb?): "it was quiet until it was too late"
    case .expired(.userPause?): "you had speech paused until it was too late"
    case .expired(.appPause?): "an app asked for silence until it was too late"
    case .expired(.modal?): "a modal window lay over \(their) place until it was too late"
    case .expired(.rate?):
      "too many came at once, and \(it) \(was) kept back until it was too late"
    case .expired(.hold?), .expired(.debounce?), .expired(.turn?), .expired(.reading?):
      "\(their) turn did not come in time"
    case .noReader: "no screen reader was connected"
    case .readerOff: "the screen reader was off"
    case .away: "you were not at the machine"
    case .failed: "the screen reader could not speak \(them)"
    case .secret: "\(it) \(was) secret, and gone when the bus came back"
    case .cut: "something else cut \(them) off"
    case .muted: "you have muted the app"
    case .background: "the app was in the background"
    case .media: "sound or video was playing in the active window"
    case .locked: "the screen was locked"
    case .modal: "a modal window lay over \(their) place"
    case .rule(let name): "the rule \"\(name)\" keeps such texts on record only"
    case .stopped: "you stopped the speech"
    case .counted: "a summary told of \(them) together with others"
    case .withdrawn: "the app took \(them) back"
    case .newer: "\(count == 1 ? "a newer one" : "newer ones") came in \(their) place"
    case .repeated: "\(it) repeated what had been said before"
    case .other(let result): "\(it) ended as \(result)"
    }
  }

  /// The obstacle to a text that still waits.
  static func waiting(for obstacle: Obstacle?) -> String {
    switch obstacle {
    case .readerOff: "for a screen reader"
    case .doNotDisturb: "until it is not quiet any more"
    case .userPause: "until you let speech go on"
    case .appPause: "until an app lets readers speak again"
    case .modal: "until a modal window is closed"
    case .hold, .debounce, .rate, .turn, .reading, nil: "for their turn"
    }
  }
}
