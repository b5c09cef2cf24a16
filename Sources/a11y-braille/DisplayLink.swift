// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBraille
import A11yClient
import A11yPosix
import Systemd

/// The loop's side of the display: what is wanted goes to the thread, its news come back.
final class DisplayLink {
  private let mailbox: DisplayMailbox
  private let ear: Ear
  private let onNews: (DisplayMailbox.News) -> Void
  private var watch: Watch?
  private var patience: Timer?
  private var wanted: String?
  /// Whether BRLTTY has not answered for so long that it counts as hung.
  private var isHung = false

  /// BRLTTY answers within milliseconds, also while it drives a slow display.
  static let longestAnswer: UInt64 = 3_000_000

  /// A descriptor that can be handed to a watch.
  private final class Ear {
    let descriptor: FileDescriptor

    init(_ number: Int32) { descriptor = FileDescriptor(adopting: number) }
  }

  /// Starts the thread, which connects by itself.
  init(on loop: EventLoop, onNews: @escaping (DisplayMailbox.News) -> Void) throws {
    self.onNews = onNews
    let ours = try Bell.hang()
    let theirs = try Bell.hang()
    mailbox = DisplayMailbox(loopBell: ours.bell, threadBell: theirs.bell)
    ear = Ear(ours.relinquishEar())
    watch = try Watch(
      ear.descriptor,
      ownedBy: ear,
      for: .readable,
      priority: .normal,
      on: loop
    ) { [unowned self] _ in
      ear.descriptor.hearBell()
      hear()
    }
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
