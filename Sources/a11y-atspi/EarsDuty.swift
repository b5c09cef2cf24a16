// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yPosix
import Systemd

/// The ears, from the accessibility bus to ours.
final class EarsDuty: AtspiDuty {
  private var ears = Ears()
  private var bus: AccessibilityBus?
  private var links: AppLinks?
  private var alarm: Timer?
  private let onChange: () -> Void
  private var trouble: String? = "waiting for the accessibility bus"
  private(set) var malformed = 0

  init(
    busPath: String,
    setsScreenReader: Bool,
    on loop: EventLoop,
    onChange: @escaping () -> Void
  ) throws {
    self.onChange = onChange
    links = try AppLinks(path: busPath, client: AtspiProgram.client, on: loop) { news in
      switch news {
      case .connected, .away, .refused: onChange()
      case .recorded, .entry, .secret: break
      }
    }
    bus = try AccessibilityBus(setsScreenReader: setsScreenReader, on: loop) {
      [unowned self] in hear($0)
    }
    alarm = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in
      ears.catchUp(at: now)
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
    case .signal(let signal): ears.hear(signal, at: now)
    case .left(let sender): ears.left(sender)
    case .malformed:
      malformed += 1
      onChange()
    case .opened:
      trouble = nil
      onChange()
    case .orca(let isThere): ears.noteOrca(isThere: isThere)
    case .screenReader(let isWanted): ears.noteScreenReader(isWanted: isWanted)
    case .away(let reason):
      ears.forget()
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
    if let due = ears.due { alarm?.arm(atMicroseconds: UInt64(clamping: due)) }
  }
}
