// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@testable import A11yModel

/// Secrets of forgotten apps stay withheld, without the names of their elements.
@Suite struct ForgottenSecretsTests {
  private func place(_ uid: UInt32, _ app: String, _ window: String, _ id: String) -> ElementPlace {
    ElementPlace(
      app: AppKey(uid: uid, app: Name(app)),
      window: Name(window),
      element: Name(id)
    )
  }

  @Test func `each part of a place counts, and so does its end`() {
    var secrets = ForgottenSecrets()
    secrets.insert(place(1, "mail", "login", "pin"))

    #expect(secrets.contains(place(1, "mail", "login", "pin")))
    for other in [
      place(2, "mail", "login", "pin"), place(1, "mails", "login", "pin"),
      place(1, "mail", "log", "inpin"), place(1, "mail", "login", "pin2"),
      place(1, "mailogin", "", "pin"),
    ] {
      #expect(!secrets.contains(other))
    }
  }

  @Test(arguments: [0, 1, 512, 513, 2_000])
  func `forgotten secrets are restored from lines that tell no name`(count: Int) throws {
    var secrets = ForgottenSecrets()
    for number in 0..<count { secrets.insert(place(1, "mail", "login", "pin \(number)")) }
    var out = ByteBuffer(capacity: 0)
    for line in secrets.lines { line.write(into: &out) }
    let text = out.bytes.string

    var back = ForgottenSecrets()
    let reader = JSONReader(limit: Limits.lineBytes)
    for line in text.split(separator: "\n") {
      try reader.read(Array(line.utf8).span)
      let isTaken = back.restore(reader.document)
      #expect(isTaken)
    }

    #expect(back == secrets)
    #expect(!text.contains("pin") && !text.contains("mail"))
  }
}
