// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The Swift of the library's articles, as an app would have it.
///
/// It need not run; `DocumentTests` looks that the articles have no other lines.
enum DocumentedCode {
  static func upload(_ bus: Client) async throws(ClientError) {
    let mine = EntryFilter(types: ["announcement"], apps: ["org.example.Contacts"])
    let receipt = try await bus.publish(.announcement("Upload has finished"))
    for try await item in bus.entries(from: .start, filter: mine) {
      guard case .entry(let entry) = item, let outcome = entry.outcome else { continue }
      guard outcome.of == receipt.seq else { continue }
      print(outcome.isHeard ? "It was heard." : "It was \(outcome.result): \(outcome.rule).")
      break
    }
  }

  static func contacts() async {
    let bus = Client(app: "org.example.Contacts")
    bus.post(.window("main", .active, title: "Contacts"))
    let save = AppElement("save", label: "Save", hint: "Keeps the contact", traits: [.button])
    let volume = AppElement("volume", label: "Volume", value: "40 %", traits: [.adjustable])
    bus.post(.elements(window: "main", upsert: [save, volume]))
    bus.post(.elements(window: "main", upsert: [AppElement("volume", value: "50 %")]))
    bus.post(.elements(window: "main", remove: ["volume"]))
    bus.post(.announcement("Item was added"))
    bus.post(.announcement("Battery is low", priority: .high))
    bus.post(.layoutChanged(window: "main", focusOn: "save"))
    bus.post(.screenChanged(window: "main", focusOn: "save"))
    bus.post(.screenChanged(window: "main", text: "Contact saved"))
    bus.post(.pageScrolled("Page 5 of 17", in: "list"))
    let text = SpeechText(runs: [.init("Your code is "), .init("98110", spell: true)])
    bus.post(.announcement(text).sensitive())
    for await gesture in bus.gestures {
      switch (gesture.name, gesture.element) {
      case ("activate", "save"):
        bus.post(.announcement("Contact saved").cause(gesture.cause))
        gesture.handled()
      default:
        gesture.handled(false)
      }
    }
  }
}
