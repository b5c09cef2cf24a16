// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yHttp
import A11yPosix
import A11yWire
import Glibc

/// The report of the bus as it goes on, served to a browser until a signal ends it.
///
/// The story is kept in memory and grows by each entry of the bus, so that a page costs its writing
/// alone. The page stays as it is until its reader loads it again, or its script finds a newer one:
/// a page that reloads itself takes the place away from those who read it by ear.
final class LiveReport {
  /// The seconds between two looks of the page's script.
  static let pause = 5

  private let path: String
  private let since: Int64
  private let output: Output
  private let server: PageServer
  private var story: DayStory
  private var linting: LogLint
  private var last: Int64 = 0
  /// How often the story has begun; after a crash of the bus, seqs may stand for other entries.
  private var beginnings = 0
  private var isAway = false
  private var hasToldAddress = false

  init(of path: String, since: Int64, _ output: Output) throws(Failure) {
    self.path = path
    self.since = since
    self.output = output
    story = DayStory(since: since, until: .max)
    linting = LogLint(since: since)
    do throws(Errno) {
      server = try PageServer(endedBy: AwaitedSignals([.interrupt, .terminate]))
    } catch {
      throw Failure(.inputOutput, "The report cannot be served: \(error).")
    }
  }

  /// Serves the report; entries that a bus has lost in a crash must leave it, so it may begin anew.
  func keepServing() throws(Failure) {
    while try followBus() {}
  }

  /// Follows the bus; false when a signal has ended that, true when the story must begin anew.
  private func followBus() throws(Failure) -> Bool {
    story = DayStory(since: since, until: .max)
    linting = LogLint(since: since)
    beginnings += 1
    let follower = try follower()
    while true {
      let step = try asking { () throws(ClientError) in
        try follower.step { line, document throws(ClientError) in
          switch line {
          case .entry(let seq):
            last = seq
            story.trace(document)
            linting.examine(document)
          case .mark:
            if document.isCaughtUp { tellAddress() }
          }
        }
      }
      switch step {
      case .away(let reason):
        guard hasToldAddress else { throw Failure(.unreachable(path: path, reason: reason)) }
        isAway = true
        output.complain("The bus went away; waiting for it.")
      case .subscribed:
        if isAway { output.complain("The bus is back.") }
        isAway = false
      case .withdrawn, .misplaced: return true
      case .lines, .renumbered, .ignored, .interrupted: break
      }
      try output.flush()
      guard server.attend(page) else { return false }
    }
  }

  private func follower() throws(Failure) -> Follower {
    do throws(ClientError) {
      return try Follower(
        path: path,
        introduction: nil,
        subscription: SubscriptionRequest(from: .start),
        backoff: Backoff(),
        interrupt: server.readiness,
        interest: .readable
      )
    } catch {
      throw Failure(error)
    }
  }

  private func tellAddress() {
    guard !hasToldAddress else { return }
    hasToldAddress = true
    output.line("The report is at \(server.address) until Ctrl-C ends it.")
  }

  private var page: PageServer.Page {
    let version = "\"\(last).\(beginnings)\(isAway ? "-away" : "")\""
    let live = ReportPage.Live(version: version, nonce: Machine.randomHex128(), isAway: isAway)
    return PageServer.Page(version: version, nonce: live.nonce) {
      let now = SystemClock.wallMicroseconds()
      var (story, linting) = (self.story, self.linting)
      story.until = now
      linting.conclude()
      let page = ReportPage(story: story, advice: linting.report, now: now, live: live)
      return page.html().bytes.array
    }
  }
}

/// Serves one page on the loopback, to those who know its address.
///
/// Everybody on the machine can reach the port, so the path is a token of 128 random bits, and a
/// request with any other path is answered with nothing but a refusal.
final class PageServer {
  /// A version of the page.
  struct Page {
    /// The version's name, which changes with the page.
    let version: String
    /// The value by which the page's own style and script may run, and nothing else.
    let nonce: String
    /// The bytes; made only when they are asked for.
    let bytes: () -> [UInt8]
  }

  /// The address of the page.
  let address: String
  /// A descriptor that is readable when there is something to serve, or a signal to end.
  var readiness: FileDescriptor { FileDescriptor(adopting: dup(poll.descriptor.number)) }

  private let poll: Poll
  private let reception: HttpReception
  private let served: Served
  private let signals: AwaitedSignals?
  private var events = Poll.Events(capacity: 2)

  /// The page as it is now.
  private final class Served {
    var page: Page?
  }

  private enum Token {
    static let reception: UInt64 = 0
    static let signals: UInt64 = 1
  }

  /// A server that also waits for signals that end it.
  init(endedBy signals: AwaitedSignals?) throws(Errno) {
    let (door, place) = try LoopbackAddress.listenAtFreePort()
    let path = "/\(Machine.randomHex128())/"
    address = "http://\(place)\(path)"
    let served = Served()
    reception = try HttpReception([door]) { head in
      served.page.map { PageAnswer.bytes(to: head, host: "\(place)", path: path, $0) } ?? []
    }
    (self.served, self.signals) = (served, signals)
    poll = try Poll()
    try poll.add(reception.poll.descriptor, token: Token.reception, interest: .readable)
    guard let signals else { return }
    try poll.add(signals.descriptor, token: Token.signals, interest: .readable)
  }

  /// Serves those who wait; false when a signal asks for the end.
  func attend(_ page: Page, now: UInt64 = SystemClock.monotonicMicroseconds()) -> Bool {
    served.page = page
    reception.expire(at: now)
    try? reception.attend(at: now)
    let count = (try? poll.wait(into: &events, timeoutMilliseconds: 0)) ?? 0
    return !(0..<count).contains { events[$0].token == Token.signals }
  }
}

/// The answer to a browser: the page to those who know its path, and nothing to all others.
enum PageAnswer {
  /// The bytes of the answer to a head that has come whole, or never will.
  ///
  /// The host has to be the address that the page was given: with another name, a page from
  /// elsewhere has led the browser here.
  static func bytes(
    to head: HttpHead,
    host: String,
    path: String,
    _ page: PageServer.Page
  ) -> [UInt8] {
    guard case .whole(let request) = head, request.method == "GET",
      request.field("host") == host, isEqual(request.target, path)
    else { return HttpAnswer.bytes("403 Forbidden", privacy) }
    guard request.field("if-none-match") != page.version else {
      return HttpAnswer.bytes("304 Not Modified", ["ETag: \(page.version)"] + privacy, body: nil)
    }
    let own = "'nonce-\(page.nonce)'"
    let policy =
      "default-src 'none'; style-src \(own); script-src \(own); connect-src 'self';"
      + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    let fields = [
      "Content-Type: text/html; charset=utf-8", "ETag: \(page.version)",
      "Content-Security-Policy: \(policy)",
    ]
    return HttpAnswer.bytes("200 OK", fields + privacy, body: page.bytes())
  }

  private static let privacy = [
    "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
    "Cross-Origin-Resource-Policy: same-origin",
  ]

  /// Compares all bytes, so that the time tells nothing of the token.
  static func isEqual(_ given: String, _ path: String) -> Bool {
    let (one, other) = (Array(given.utf8), Array(path.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
