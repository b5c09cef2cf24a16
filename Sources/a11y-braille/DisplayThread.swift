// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBraille
import A11yClient
import A11yCompanion
import A11yPosix
import Systemd

/// The thread that talks to BRLTTY, and may hang with it.
///
/// It ends with the process, which waits for nothing. The end of the connection gives the display
/// back.
final class DisplayThread {
  private let mailbox: DisplayMailbox
  private let ear: FileDescriptor
  private let poll: Poll
  private var events = Poll.Events(capacity: 2)
  private var backoff = Backoff(first: firstWait, longest: longestWait)
  private var session: BrlapiSession?
  /// The content that BRLTTY has got from us; nil while the display is not ours.
  private var written: String?
  private var condition = BrailleCondition.connecting
  /// The waits after which BRLTTY still gets the content once more, since it has hung over it and
  /// may cover it with its own words, on a busy machine some seconds later.
  private var doubts: ArraySlice<Int32> = []

  /// Those waits, in milliseconds.
  private static let settling: [Int32] = [500, 1_000, 2_000, 4_000]
  /// BRLTTY looks for its display after a start for longer than this.
  private static let firstWait: Duration = .milliseconds(500)
  /// The longest that a user who has plugged a display in should have to wait.
  private static let longestWait: Duration = .seconds(5)

  private enum Token {
    static let ear: UInt64 = 1
    static let session: UInt64 = 2
  }

  /// Starts the thread; it hears the loop at the descriptor `ear`.
  static func start(_ mailbox: DisplayMailbox, ear: Int32) throws(ClientError) {
    try Thread.start {
      // A thread without the means to wait leaves the program without a display.
      do throws(Errno) {
        try DisplayThread(mailbox, FileDescriptor(adopting: ear)).work()
      } catch {
        mailbox.tell(.noDisplay(reason: error.description))
      }
    }
  }

  private init(_ mailbox: DisplayMailbox, _ ear: consuming FileDescriptor) throws(Errno) {
    self.mailbox = mailbox
    self.ear = ear
    poll = try Poll()
    try poll.add(self.ear, token: Token.ear, interest: .readable)
  }

  private func work() -> Never {
    while true {
      do throws(BrlapiFailure) {
        try mailbox.whileBusy { () throws(BrlapiFailure) in try connect() }
        while true {
          if needsBRLTTY { try mailbox.whileBusy { () throws(BrlapiFailure) in try adjust() } }
          switch try wait(doubts.first ?? -1) {
          case .brltty:
            guard let keys = try session?.takeKeys(), !keys.isEmpty else { break }
            mailbox.tell(keys)
          case .loop: break
          case .nobody: if doubts.popFirst() != nil { written = nil }
          }
        }
      } catch {
        (session, written) = (nil, nil)
        tell(.noDisplay(reason: "BRLTTY cannot be reached: \(error.words)"))
      }
      _ = try? wait(Int32(clamping: backoff.nextWait().milliseconds))
    }
  }

  private func connect() throws(BrlapiFailure) {
    let fresh = try BrlapiSession()
    // The library goes on owning its socket.
    let socket = FileDescriptor(adopting: fresh.number)
    var failure: Errno?
    do throws(Errno) {
      try poll.add(socket, token: Token.session, interest: .readable)
    } catch {
      failure = error
    }
    _ = socket.relinquish()
    if let failure { throw BrlapiFailure(words: failure.description) }
    session = fresh
    tell(Self.condition(try fresh.size()))
    backoff.reset()
  }

  // MARK: The display

  private var needsBRLTTY: Bool {
    session?.hasNewSize == true || condition.size != nil && mailbox.wanted != written
  }

  /// Has BRLTTY show the content that the loop wants.
  private func adjust() throws(BrlapiFailure) {
    if let session, session.hasNewSize, Self.condition(try session.size()) != condition {
      // The library goes by the first measures of a session for good.
      (self.session, written) = (nil, nil)
      try connect()
    }
    guard let session else { return }
    let wanted = mailbox.wanted
    guard condition.size != nil, wanted != written else { return }
    let start = SystemClock.monotonicMicroseconds()
    if let wanted { try session.present(wanted) } else { try session.giveBack() }
    if SystemClock.monotonicMicroseconds() - start > DisplayLink.longestAnswer {
      doubts = Self.settling[...]
    }
    written = wanted
  }

  private static func condition(_ size: DisplaySize?) -> BrailleCondition {
    size.map { .showing($0) } ?? .noDisplay(reason: "BRLTTY has none")
  }

  private func tell(_ news: BrailleCondition) {
    guard news != condition else { return }
    condition = news
    mailbox.tell(news)
  }

  // MARK: Waiting

  private enum Caller { case brltty, loop, nobody }

  /// Waits for BRLTTY or the loop, and says which of them has news.
  private func wait(_ milliseconds: Int32) throws(BrlapiFailure) -> Caller {
    do throws(Errno) {
      let count = try poll.wait(into: &events, timeoutMilliseconds: milliseconds)
      let tokens = (0..<count).map { events[$0].token }
      if tokens.contains(Token.ear) { ear.hearBell() }
      return tokens.isEmpty ? .nobody : tokens.contains(Token.session) ? .brltty : .loop
    } catch {
      throw BrlapiFailure(words: error.description)
    }
  }
}

/// The loop's side of the display: what is wanted goes to the thread, its news come back.
final class DisplayLink {
  private let mailbox: DisplayMailbox
  private let loopBell: LoopBell
  private let onNews: (DisplayContents.News) -> Void
  private var patience: Timer?
  private var wanted: String?
  /// Whether BRLTTY has not answered for so long that it counts as hung.
  private var isHung = false

  /// BRLTTY answers within milliseconds, also while it drives a slow display.
  static let longestAnswer: UInt64 = 3_000_000

  /// Starts the thread, which connects by itself.
  init(on loop: EventLoop, onNews: @escaping (DisplayContents.News) -> Void) throws {
    self.onNews = onNews
    loopBell = try LoopBell()
    let theirs = try Bell.hang()
    mailbox = DisplayMailbox(
      DisplayContents(),
      loopBell: loopBell.bell,
      threadBell: theirs.bell
    )
    try loopBell.listen(on: loop) { [unowned self] in hear() }
    patience = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in
      hear()
    }
    try DisplayThread.start(mailbox, ear: theirs.relinquishEar())
  }

  /// Has the display show these cells; nil gives it back to BRLTTY.
  ///
  /// A BRLTTY that hangs is asked for nothing: once it goes on, `onNews` brings what is wanted
  /// then. A display that was given back meanwhile would flicker.
  func want(_ cells: String?) {
    guard !isHung, cells != wanted else { return }
    wanted = cells
    mailbox.want(cells)
  }

  private func hear() {
    var news = mailbox.takeNews()
    if let due = news.busySince.map({ $0 + Self.longestAnswer }) {
      isHung = due <= SystemClock.monotonicMicroseconds()
      if !isHung { patience?.arm(atMicroseconds: due) }
    } else {
      isHung = false
      patience?.disarm()
    }
    if isHung { news.condition = .noDisplay(reason: "BRLTTY does not answer") }
    onNews(news)
  }
}

/// What the loop and the thread of the display have for each other.
struct DisplayContents: Sendable {
  /// The thread's words for the loop.
  struct News: Sendable {
    var condition = BrailleCondition.connecting
    /// The keys since the last look.
    var keys: [Board.Key] = []
    /// The moment since which the thread waits for BRLTTY.
    var busySince: UInt64?
  }

  /// Keys that the loop has not taken yet; further ones are dropped.
  static let mostKeys = 64

  var news = News()
  /// The cells that the loop wants shown; nil gives the display back.
  var wanted: String?
}

typealias DisplayMailbox = ThreadMailbox<DisplayContents>

extension DisplayMailbox {
  // MARK: The loop's side

  func want(_ cells: String?) { tellThread { $0.wanted = cells } }

  func takeNews() -> DisplayContents.News {
    use { contents in
      defer { contents.news.keys = [] }
      return contents.news
    }
  }

  // MARK: The thread's side

  var wanted: String? { use { $0.wanted } }

  func tell(_ condition: BrailleCondition) { tellLoop { $0.news.condition = condition } }

  func tell(_ keys: [Board.Key]) {
    tellLoop { $0.news.keys += keys.prefix(Contents.mostKeys - $0.news.keys.count) }
  }

  /// Does something for which BRLTTY may take its time, and lets the loop know meanwhile.
  func whileBusy<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    tellLoop { $0.news.busySince = SystemClock.monotonicMicroseconds() }
    defer { tellLoop { $0.news.busySince = nil } }
    return try body()
  }
}
