// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker

/// The bus's knowledge, beside the log, of an app that is forgotten while it goes on.
@Suite struct ForgetTests {
  let bus = HandDriven()

  private static let mail = Selection(apps: ["mail"], uids: nil, before: nil)

  private func elements(_ upsert: String) -> String {
    #"{"type":"elements","window":"w","upsert":[\#(upsert)]}"#
  }

  private func apps(withWindowsFor session: Session) throws -> [String]? {
    let answer = try bus.ask(session, #"{"id":1,"op":"state"}"#)
    return answer["ok"]["windows"].list?.compactMap { $0["app"].string }
  }

  @Test func `its windows and its keys are gone, and no other app's`() throws {
    let mail = bus.connect(app: "mail")
    let files = bus.connect(app: "files")
    for session in [mail, files] {
      _ = try bus.publish(
        session,
        #"{"type":"window","window":"w","state":"opened"}"#,
        more: #","dedupe":"k""#
      )
    }
    bus.commit()
    #expect(try apps(withWindowsFor: files) == ["mail", "files"])

    bus.forget(Self.mail)

    #expect(try apps(withWindowsFor: files) == ["files"])
    let again = try bus.publish(mail, more: #","dedupe":"k""#)
    #expect(again == bus.last)
    #expect(try bus.publish(files, more: #","dedupe":"k""#) < again)
  }

  @Test func `a secret stays one, though nothing says so any more`() throws {
    let mail = bus.connect(app: "mail")
    _ = try bus.publish(mail, elements(#"{"id":"pin","traits":["secure"]}"#))
    bus.commit()
    bus.forget(Self.mail)

    _ = try bus.publish(mail, elements(#"{"id":"pin","value":"1234"}"#))
    _ = try bus.publish(mail, elements(#"{"id":"other","value":"open"}"#))

    #expect(bus.entries.count == 2)
    #expect(bus.entries[0].contains(#"{"id":"pin","redacted":"1-8"}"#))
    #expect(bus.entries[1].contains(#"{"id":"other","value":"open"}"#))
  }

  @Test func `the words of a secret that nobody will speak are gone with its entry`() throws {
    let mail = bus.connect(app: "mail")
    let pin = Name("pin")

    let seq = try bus.publish(mail, elements(#"{"id":"pin","traits":["secure"],"value":"1234"}"#))

    #expect(bus.broker.secrets.words(of: .event(Seq(seq), pin)) == nil)
  }

  @Test func `an element that says anew what it is, is that`() throws {
    let mail = bus.connect(app: "mail")
    _ = try bus.publish(mail, elements(#"{"id":"pin","traits":["secure"]}"#))
    bus.commit()
    bus.forget(Self.mail)

    // Typed in while it still was one.
    _ = try bus.publish(mail, elements(#"{"id":"pin","traits":["text-field"],"value":"1234"}"#))
    _ = try bus.publish(mail, elements(#"{"id":"pin","value":"open"}"#))

    #expect(bus.entries[0].contains(#""redacted":"1-8""#))
    #expect(!bus.entries[0].contains("1234"))
    #expect(bus.entries[1].contains(#""value":"open""#))
  }
}
