// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Glibc

/// A window with one button that counts.
///
/// The library shows the window again to a bus that has forgotten it, so that the program need not.
@main
enum Counter {
  private static let app = "org.example.Counter"
  private static let bus = Client(app: app)

  static func main() {
    // The signal waits for the main thread, whichever thread the loop runs on.
    var end = sigset_t()
    sigemptyset(&end)
    sigaddset(&end, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &end, nil)
    Task.detached {
      do throws(ClientError) {
        try await follow()
      } catch {
        say("counter: \(error)")
        exit(1)
      }
    }
    var number: Int32 = 0
    sigwait(&end, &number)
    Task.detached {
      await bus.flush()
      say("Goodbye.")
      exit(0)
    }
    while true { pause() }
  }

  private static func follow() async throws(ClientError) {
    let filter = EntryFilter(types: ["outcome", "focus", "gesture"], apps: [app])
    var announcement: Int64?
    var count = 0
    for try await item in bus.entries(filter: filter) {
      switch item {
      case .mark(.caughtUp):
        if announcement == nil {
          announcement = try await begin()
        } else {
          say("The bus is back.")
        }
      case .mark(.away): say("The bus is gone.")
      case .mark: break
      case .entry(let entry):
        if let outcome = entry.outcome, outcome.of == announcement {
          say("Announcement \(outcome.of): \(outcome.result).")
        } else if entry.type == "focus" {
          say("Focus: \(entry.string("element") ?? "nowhere").")
        } else if entry.type == "gesture" {
          answer(entry, &count)
        }
      }
    }
  }

  /// Shows the window, and returns the seq of the announcement that it is there.
  private static func begin() async throws(ClientError) -> Int64 {
    let element = AppElement("count", label: "Count", value: "0", traits: [.button])
    bus.post(.window("main", .active, title: "Counter"))
    bus.post(.elements(window: "main", replace: [element]))
    bus.post(.screenChanged(window: "main", focusOn: "count"))
    return try await bus.publish(.announcement("Counter is ready")).seq
  }

  /// Counts on, or says that there is nothing to do for the gesture.
  private static func answer(_ entry: Entry, _ count: inout Int) {
    guard let name = entry.string("name"), let action = entry.integer("action") else { return }
    say("Gesture: \(name) on \(entry.string("element") ?? "nothing").")
    let isHandled = name == "activate"
    if isHandled {
      count += 1
      let cause = Cause.action(action)
      let element = AppElement("count", value: "\(count)")
      bus.post(.elements(window: "main", upsert: [element]).cause(cause))
      bus.post(.announcement("\(count)").cause(cause))
    }
    bus.post(.handled(gesture: entry.seq, isHandled))
  }

  /// Prints a line at once.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
