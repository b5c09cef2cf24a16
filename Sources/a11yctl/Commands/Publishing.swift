// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Publishing with its options, for all commands that publish.
struct Publishing {
  static let options = [
    Flag("app", "NAME", "publish under this name; without it only the user is known"),
    Flag("ack", "LEVEL", "wait until it is received, written or synced; written if not given"),
    Flag("dedupe", "KEY", "record it once, however often it is published with this key"),
    Flag("quiet", nil, "do not print the seq"),
  ]

  let path: String
  let app: String?
  let acknowledgement: AcknowledgementLevel?
  let dedupe: String?
  let isQuiet: Bool

  /// Options for events of this type.
  init(_ words: CommandWords, _ type: EventType) throws(Failure) {
    path = try words.socket(for: .publishing(type)).path
    app = words.value("app")
    acknowledgement = try words.choice("ack", AcknowledgementLevel.self)
    dedupe = words.value("dedupe")
    isQuiet = words.has("quiet")
  }

  /// A connection that has said hello and asks for advice.
  func connect() throws(ClientError) -> BusConnection {
    let bus = try BusConnection(path: path)
    try bus.hello(app: app, advice: true)
    return bus
  }

  /// Publishes one event of this type and shows the answer.
  func publish(_ event: Event, type: String, _ output: Output) throws(Failure) {
    let (receipt, complaints) = try asking(about: type) { () throws(ClientError) in
      let bus = try connect()
      let receipt = try bus.publish(event, ack: acknowledgement, dedupe: dedupe)
      return (receipt, bus.takeComplaints())
    }
    show(receipt, output)
    if let focus = receipt.focus, focus.result == "denied" {
      output.complain("The focus was not moved: \(focus.reason ?? "denied").")
    }
    show(complaints, output)
  }

  func show(_ receipt: Receipt, _ output: Output) {
    if !isQuiet { output.line(String(receipt.seq)) }
    for warning in receipt.warnings {
      let grounds = warning.field.map { "\(warning.code), \($0)" } ?? warning.code
      output.complain("Advice for seq \(receipt.seq) (\(grounds)): \(warning.message)")
    }
  }

  func show(_ complaints: [BusConnection.Complaint], _ output: Output) {
    for complaint in complaints {
      switch complaint {
      case .unknownFields(let names):
        output.complain("The bus does not know, and has ignored: \(names.joined(separator: ", ")).")
      case .advice(let warning): output.complain("Advice: \(warning.message)")
      case .lost(let error): output.complain("\(error)")
      case .refused(let refusal):
        output.complain(RefusalWords.sentence(RefusalWords.bus, refusal, type: nil))
      }
    }
  }
}
