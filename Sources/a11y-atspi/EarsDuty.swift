// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yPosix
import Systemd

/// The ears, from the accessibility bus to ours.
final class EarsDuty: AtspiDuty {
  private var ears = Ears()
  /// The elements of the active window, where they are wanted.
  private var mirror: TreeMirror?
  private var bus: AccessibilityBus?
  private var links: AppLinks?
  private var alarm: Timer?
  private let onChange: () -> Void
  private var trouble: String? = "waiting for the accessibility bus"
  private(set) var malformed = 0

  init(
    busPath: String,
    setsScreenReader: Bool,
    isMirroring: Bool,
    on loop: EventLoop,
    onChange: @escaping () -> Void
  ) throws {
    self.onChange = onChange
    mirror = isMirroring ? TreeMirror() : nil
    links = try AppLinks(
      path: busPath,
      types: isMirroring ? ["gesture"] : nil,
      on: loop
    ) { [unowned self] news in
      switch news {
      case .connected, .away, .refused, .unrecorded: onChange()
      case .entry(let entry): carryOut(entry)
      case .recorded, .secret: break
      }
    }
    links?.onReturn = { [unowned self] app in
      ears.retell(app, at: now)
      // The elements have gone with the connection.
      ears.mirrored = nil
      mirror?.abandon()
      perform()
    }
    bus = try AccessibilityBus(
      setsScreenReader: setsScreenReader,
      isMirroring: isMirroring,
      on: loop
    ) { [unowned self] in hear($0) }
    alarm = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in
      ears.catchUp(at: now)
      mirror?.catchUp(at: now)
      perform()
    }
  }

  func begin() { bus?.join() }

  func end() { bus?.leave() }

  func apply(_ settings: AtspiSettings) {
    ears.leaveAlone(settings.silentApps)
    perform()
  }

  var isBusAway: Bool { links?.isAway ?? false }

  var lostEvents: Int { links?.lostEvents ?? 0 }

  var refusals: (count: Int, last: String) { links?.refusals ?? (0, "") }

  var overrun: Int { ears.overrun }

  var sentence: String { trouble ?? "hearing apps through AT-SPI" }

  private var now: Int64 { Int64(clamping: SystemClock.monotonicMicroseconds()) }

  private func hear(_ news: AccessibilityBus.News) {
    let before = ears.overrun
    switch news {
    case .signal(let signal):
      ears.hear(signal, at: now)
      mirror?.hear(signal, at: now)
    case .left(let sender): ears.left(sender)
    case .malformed:
      malformed += 1
      onChange()
    case .opened:
      trouble = nil
      findWindow()
      onChange()
    case .orca(let isThere): ears.noteOrca(isThere: isThere)
    case .notices(let process): ears.noticeServer = process
    case .screenReader(let isWanted): ears.noteScreenReader(isWanted: isWanted)
    case .away(let reason):
      ears.forget()
      mirror?.abandon()
      trouble = "waiting for the accessibility bus: \(reason)"
      onChange()
    }
    perform()
    if ears.overrun != before { onChange() }
  }

  private func perform() {
    while true {
      let acts = ears.takeActs()
      if acts.isEmpty { break }
      for act in acts {
        switch act {
        case .ask(let question):
          bus?.inquire(question) { [unowned self] answer in
            ears.answer(question, answer, at: now)
            perform()
          }
        case .post(let event, let app): links?.post(event, of: app)
        case .leave(let app): links?.dismiss(app)
        }
      }
    }
    if mirror != nil { reflect() }
    let times = [ears.due, mirror?.due].compactMap { $0 }
    if let due = times.min() { alarm?.arm(atMicroseconds: UInt64(clamping: due)) }
  }

  // MARK: The mirror

  /// Looks for the window that was active before the ears were there.
  private func findWindow() {
    guard mirror != nil else { return }
    bus?.inquiry.askActiveWindows { [unowned self] window, title in
      ears.hear(AtspiSignal(window, .window(.activated, title: title)), at: now)
      perform()
    }
  }

  /// Has the mirror follow the active window of a program that has told its name.
  private func reflect() {
    let window = ears.activeWindow
    if window != ears.mirrored {
      ears.mirrored = window
      if let window { mirror?.open(window, at: now) } else { mirror?.abandon() }
      bus?.watchElements(of: window?.sender)
    }
    for act in mirror?.takeActs() ?? [] {
      switch act {
      case .look(let source):
        bus?.inquiry.look(at: source) { [unowned self] node in
          mirror?.learn(source, node, at: now)
          perform()
        }
      case .trace(let source):
        bus?.inquiry.property("Parent", of: source) { [unowned self] answer in
          let parent = SourceInquiry.object(answer, of: source.sender)
          mirror?.learnParent(parent, of: source, at: now)
          perform()
        }
      case .post(let event, let sender):
        if let app = ears.appName(of: sender) { links?.post(event.origin("atspi"), of: app) }
      }
    }
  }

  /// Has the program do what the user wants of an element, and answers the bus.
  private func carryOut(_ entry: Entry) {
    guard entry.conn == 0, entry.type == "gesture", let app = entry.string("app"),
      let name = entry.string("name")
    else { return }
    let answer = { [unowned self] (isHandled: Bool) in
      links?.post(.handled(gesture: entry.seq, isHandled), of: app)
      return ()
    }
    guard let source = entry.string("element").flatMap({ mirror?.object(of: $0) }),
      ears.appName(of: source.sender) == app, let inquiry = bus?.inquiry
    else { return answer(false) }
    GestureInquiry(inquiry: inquiry, source: source, name: name).perform(answer)
  }
}
