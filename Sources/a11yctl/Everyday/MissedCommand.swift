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
  static let usage = "[OPTION]..."
  static let notes = """
    Tells how many texts of each app were not heard or not to their end, why, and the last of each
    kind; then the texts that still wait. Secret texts stay hidden. a11yctl explain SEQ says more
    of an entry.
    \(Beginning.notes)
    \(RecentPlace.notes)
    """
  static let options =
    Beginning.flags(usually: "\"1 day ago\"") + [
      Flag("app", "NAME", "only what this app has said")
    ] + RecentPlace.options

  private static let usual: Int64 = 86_400_000_000

  private let place: RecentPlace
  private let beginning: Beginning
  private let now: Int64
  private let app: String?
  /// The bus that knows the names of apps, if one does.
  private let socket: String?

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    now = SystemClock.wallMicroseconds()
    beginning = try Beginning(words, now: now)
    app = words.value("app")
    place = try RecentPlace(words)
    socket = try? words.socket(for: .operation(.stats)).path
  }

  func run(_ output: Output) throws(Failure) {
    let (entries, state) = try place.entries(output)
    let since = try beginning.time(entries.time) ?? now - Self.usual
    let report = try entries.sum(
      of: MissedReport.types,
      into: MissedReport(since: since, app: app),
      isEnough: \.isComplete
    ) { $0.note($1) }
    let waiting = report.waiting(in: state)
    for line in MissedWords.sentences(report, waiting: waiting, since: since, now: now) {
      output.line(line)
    }
    guard let app, let socket, report.hasNothing, waiting.isEmpty else { return }
    for line in AppNames.strangers([app], at: socket) { output.line(line) }
  }
}

/// The texts that were published since a moment and not heard, by reason and app.
struct MissedReport {
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

  static let types =
    [EventType.announcement, .layoutChanged, .screenChanged, .pageScrolled].map(\.rawValue)
    + [EventType.Own.outcome.rawValue]

  /// The texts that are shown of each kind: enough to see what it was about.
  private static let examples = 3
  /// The texts without an end that are kept: far more than the bus lets wait.
  private static let most = 4_096

  private let since: Int64
  private let app: String?
  /// The texts that were heard, to their end or in part.
  private(set) var heard: Int64 = 0
  private(set) var groups: [Group: Findings] = [:]
  /// The texts without an end yet, the oldest first.
  private var open: [Int64: Text] = [:]
  private var order: [Int64] = []
  private var reachesBack = false

  init(since: Int64, app: String?) {
    self.since = since
    self.app = app
  }

  /// Whether no text of the app was found, heard or not.
  var hasNothing: Bool { heard == 0 && groups.isEmpty }

  /// Whether entries from before the moment were seen.
  var isComplete: Bool { reachesBack }

  mutating func note(_ entry: Entry) {
    guard entry.time >= since else {
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
    guard let words = EntryWords.spoken(entry), app == nil || entry.app == app else { return }
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
      return a.reason == b.reason ? a.app < b.app : a.reason.clause < b.reason.clause
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
      SeqWords.count(report.heard, "text was", "texts were") + " heard"
      + (parts == 0 ? "" : ", \(parts) of them in part")
    var lines = [
      missed == 0
        ? "Since \(moment), nothing was missed; \(heard)."
        : "Since \(moment), \(heard), and \(missed) \(missed == 1 ? "was" : "were") not."
    ]
    for (group, findings) in report.sorted {
      let texts = SeqWords.count(findings.count, "text was", "texts were")
      let extent = group.isPart ? "heard in part" : "not heard"
      lines.append("\(group.app): \(texts) \(extent), because \(group.reason.clause).")
      lines += findings.examples.map { "  " + example($0, now: now) }
    }
    lines += groups(waiting).flatMap { group in
      let texts = SeqWords.count(Int64(group.texts.count), "text waits", "texts wait")
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
