// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import CNats
import Glibc
import Synchronization

/// A connection to NATS, on which each call has a deadline.
final class NatsLink {
  private var connection: OpaquePointer?
  private var answers: OpaquePointer?
  /// The beginning of all places for answers, which one user may hear and no other.
  private let prefix: String
  private let inbox: String
  /// A name that no other connection has.
  private let name: String

  /// The place for answers to an operator's questions; machines have their names for it.
  static let operatorsInbox = "a11yd-fleet"
  private static let connecting: Int64 = 2_000
  /// The wait for an answer, in milliseconds, which includes a cluster that elects a leader.
  private static let answering: Int64 = 5_000
  /// The wait for the answer to a question that may be asked again, in milliseconds.
  private static let asking: Int64 = 500
  private static let pingEvery: Int64 = 5_000
  private static let mostUnansweredPings: Int32 = 2

  init(
    _ servers: [EngineAddress.Server],
    _ settings: NatsSettings,
    inbox owner: String
  ) throws(ForwardFailure) {
    prefix = "_INBOX.\(owner)"
    var options: OpaquePointer?
    try Self.check(natsOptions_Create(&options))
    defer { natsOptions_Destroy(options) }
    try Self.configure(options, with: servers)
    try Self.configure(options, with: settings)
    var made: UnsafeMutablePointer<CChar>?
    try Self.check(natsInbox_Create(&made))
    name = made.map { String(String(cString: $0).drop { $0 != "." }.dropFirst()) } ?? ""
    natsInbox_Destroy(made)
    inbox = "\(prefix).\(name)"
    try Self.check(natsOptions_SetCustomInboxPrefix(options, prefix))
    try Self.check(natsOptions_SetErrorHandler(options, NatsRights.listener, nil))
    NatsRights.forgetAll()
    // The library tries one server after the other.
    ThreadWatch.beat(UInt64(Self.connecting * 1_000) * UInt64(servers.count))
    try Self.check(natsConnection_Connect(&connection, options))
    try Self.check(natsConnection_SubscribeSync(&answers, connection, "\(self.inbox).*"))
    try Self.check(natsSubscription_SetPendingLimits(answers, -1, -1))
  }

  deinit {
    natsSubscription_Destroy(answers)
    natsConnection_Destroy(connection)
  }

  private static func configure(
    _ options: OpaquePointer?,
    with servers: [EngineAddress.Server]
  ) throws(ForwardFailure) {
    var names: [UnsafePointer<CChar>?] = servers.map { UnsafePointer(strdup("nats://\($0)")) }
    defer { for name in names { free(UnsafeMutablePointer(mutating: name)) } }
    let count = Int32(names.count)
    try check(natsOptions_SetServers(options, &names, count))
    try check(natsOptions_SetName(options, ForwardProgram.name))
    try check(natsOptions_SetTimeout(options, connecting))
    // The thread begins anew by itself, and asks first.
    try check(natsOptions_SetAllowReconnect(options, false))
    try check(natsOptions_SetPingInterval(options, pingEvery))
    try check(natsOptions_SetMaxPingsOut(options, mostUnansweredPings))
    try check(natsOptions_SetWriteDeadline(options, answering))
    try check(natsOptions_SetFailRequestsOnDisconnect(options, true))
  }

  private static func configure(
    _ options: OpaquePointer?,
    with settings: NatsSettings
  ) throws(ForwardFailure) {
    if let user = settings.user {
      try check(natsOptions_SetUserInfo(options, user, settings.password ?? ""))
    } else if let token = settings.password {
      try check(natsOptions_SetToken(options, token))
    }
    if let file = settings.credentials {
      try check(natsOptions_SetUserCredentialsFromFiles(options, file, nil))
    }
    if let key = settings.nkey, let seed = settings.seed {
      try check(natsOptions_SetNKeyFromSeed(options, key, seed))
    }
    if settings.tls { try check(natsOptions_SetSecure(options, true)) }
    if let file = settings.authority {
      try check(natsOptions_LoadCATrustedCertificates(options, file))
    }
    if let certificate = settings.certificate, let key = settings.key {
      try check(natsOptions_LoadCertificatesChain(options, certificate, key))
    }
  }

  // MARK: Requests

  /// Sends a question, and returns the answer.
  ///
  /// It is asked again and again, since a cluster that elects a leader answers nothing meanwhile.
  func inquire(
    _ subject: String,
    _ body: String,
    headers: [Header] = []
  ) throws(ForwardFailure) -> [UInt8] {
    guard let answer = try reach(subject, body, headers: headers) else { throw Self.unanswered }
    return answer
  }

  /// Asks in the same way; nil where nobody is there to answer.
  func reach(
    _ subject: String,
    _ body: String,
    headers: [Header] = []
  ) throws(ForwardFailure) -> [UInt8]? {
    let reply = try obtainReply(subject, body, headers, for: Self.answering)
    guard let reply else { return nil }
    defer { natsMsg_Destroy(reply) }
    return Self.data(reply)
  }

  /// Asks once; nil where nobody is there to answer.
  ///
  /// It waits for a moment alone: entries come before what is asked so.
  func submit(_ subject: String, _ body: String) throws(ForwardFailure) -> [UInt8]? {
    guard let reply = try obtainReply(subject, body, [], for: Self.asking) else { return nil }
    defer { natsMsg_Destroy(reply) }
    return Self.data(reply)
  }

  /// The newest message of a subject, which a server tells whom this one question is allowed.
  func newest(of subject: String, in stream: String) throws(ForwardFailure) -> NatsNewest {
    let question = "$JS.API.DIRECT.GET.\(stream).\(subject)"
    // Servers before 2.10 leave a question without an answer where there is no stream.
    let reply = try obtainReply(question, "", [], for: Self.answering, mayBeSilent: true)
    guard let reply else { return .silence }
    defer { natsMsg_Destroy(reply) }
    switch Self.header("Status", of: reply) {
    case "404": return .nothing
    case let status?: throw .engine("it answers with \(status)")
    case nil:
      guard let number = Self.header("Nats-Sequence", of: reply).flatMap({ Int64($0)?.ifReachable })
      else {
        throw .engine("it answers without a message")
      }
      let epoch = Self.header(NatsEngine.epochHeader.description, of: reply) ?? ""
      return .message(StoredMessage(number: number, line: Self.data(reply), epoch: epoch))
    }
  }

  /// Asks for so many milliseconds; nil where nobody is there to answer.
  private func obtainReply(
    _ subject: String,
    _ body: String,
    _ headers: [Header],
    for patience: Int64,
    mayBeSilent: Bool = false
  ) throws(ForwardFailure) -> OpaquePointer? {
    var message: OpaquePointer?
    try Self.check(natsMsg_Create(&message, subject, nil, body, Int32(body.utf8.count)))
    defer { natsMsg_Destroy(message) }
    try Self.setHeaders(headers, of: message)
    var reply: OpaquePointer?
    var status = NATS_TIMEOUT
    for _ in 0..<patience / Self.asking where status == NATS_TIMEOUT {
      status = natsConnection_RequestMsg(&reply, connection, message, Self.asking)
      if status == NATS_TIMEOUT { try complainOfRights() }
    }
    if status == NATS_NO_RESPONDERS || mayBeSilent && status == NATS_TIMEOUT { return nil }
    try Self.check(status)
    return reply
  }

  /// Throws where the reason for a missing answer is a missing right.
  private func complainOfRights() throws(ForwardFailure) {
    if let right = NatsRights.takeMissing(inbox: prefix) { throw .forbidden(right) }
  }

  // MARK: Messages

  /// A header of a message, whose name the library reads without a copy.
  struct Header {
    let name: StaticString
    var value: String
  }

  /// Publishes without waiting; with a number, the answer comes by `nextAnswer`.
  func transmit(
    _ subject: String,
    _ body: UnsafeRawBufferPointer,
    headers: [Header],
    number: Int64?
  ) throws(ForwardFailure) {
    let message = try makeMessage(subject, body, headers, reply: number.map { "\(inbox).\($0)" })
    defer { natsMsg_Destroy(message) }
    try Self.check(natsConnection_PublishMsg(connection, message))
  }

  /// Publishes, with all that the library has held back, and waits for the answer.
  func transmitAndWait(
    _ subject: String,
    _ body: UnsafeRawBufferPointer,
    headers: [Header]
  ) throws(ForwardFailure) -> [UInt8] {
    let message = try makeMessage(subject, body, headers, reply: nil)
    defer { natsMsg_Destroy(message) }
    var reply: OpaquePointer?
    let status = natsConnection_RequestMsg(&reply, connection, message, Self.answering)
    if status == NATS_TIMEOUT { try complainOfRights() }
    try Self.check(status)
    defer { natsMsg_Destroy(reply) }
    return Self.data(reply)
  }

  private func makeMessage(
    _ subject: String,
    _ body: UnsafeRawBufferPointer,
    _ headers: [Header],
    reply: String?
  ) throws(ForwardFailure) -> OpaquePointer? {
    var message: OpaquePointer?
    let text = body.baseAddress?.assumingMemoryBound(to: CChar.self)
    try Self.check(natsMsg_Create(&message, subject, reply, text, Int32(body.count)))
    do throws(ForwardFailure) {
      try Self.setHeaders(headers, of: message)
    } catch {
      natsMsg_Destroy(message)
      throw error
    }
    return message
  }

  private static func setHeaders(
    _ headers: [Header],
    of message: OpaquePointer?
  ) throws(ForwardFailure) {
    // A text that is passed as it is would be copied each time.
    for header in headers {
      let name = UnsafeRawPointer(header.name.utf8Start).assumingMemoryBound(to: CChar.self)
      try check(header.value.withCString { natsMsgHeader_Set(message, name, $0) })
    }
  }

  /// A name for a batch, which no other connection uses.
  func batchName(_ number: Int64) -> String { "\(name)-\(number)" }

  /// Waits for the next answer to a published message.
  func nextAnswer() throws(ForwardFailure) -> (number: Int64?, body: [UInt8]) {
    var message: OpaquePointer?
    try Self.check(natsSubscription_NextMsg(&message, answers, Self.answering))
    defer { natsMsg_Destroy(message) }
    // The number is the last part of the subject.
    let end = natsMsg_GetSubject(message).flatMap { strrchr($0, Int32(UInt8(ascii: "."))) }
    return (end.map { strtoll($0 + 1, nil, 10) }, Self.data(message))
  }

  // MARK: Consumers

  /// Asks for messages without waiting; they come by `nextArrival`.
  func pull(_ subject: String, _ body: String) throws(ForwardFailure) {
    try Self.check(
      natsConnection_PublishRequestString(connection, subject, "\(inbox).0", body)
    )
  }

  /// Tells a consumer that all up to a message is done.
  func acknowledge(_ reply: String) throws(ForwardFailure) {
    try Self.check(natsConnection_PublishString(connection, reply, "+ACK"))
  }

  /// Waits for the next message of a consumer.
  func nextArrival() throws(ForwardFailure) -> NatsArrival {
    var message: OpaquePointer?
    try Self.check(natsSubscription_NextMsg(&message, answers, Self.answering))
    defer { natsMsg_Destroy(message) }
    if let status = Self.header("Status", of: message) {
      return NatsArrival(status: status, Self.header("Description", of: message) ?? "")
    }
    return NatsArrival(
      answeringTo: natsMsg_GetReply(message).map { String(cString: $0) } ?? "",
      natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
      Self.header(NatsEngine.epochHeader.description, of: message) ?? "",
      epochs: Self.header(NatsEngine.epochsHeader.description, of: message),
      Self.data(message)
    )
  }

  private static func header(_ name: String, of message: OpaquePointer?) -> String? {
    var value: UnsafePointer<CChar>?
    guard natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
    return value.map { String(cString: $0) }
  }

  private static func data(_ message: OpaquePointer?) -> [UInt8] {
    guard let start = natsMsg_GetData(message) else { return [] }
    let count = Int(natsMsg_GetDataLength(message))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static let unanswered = ForwardFailure.engine(
    "no server takes entries; JetStream is off, or a leader is being elected"
  )

  private static func check(_ status: natsStatus) throws(ForwardFailure) {
    ThreadWatch.beat()
    switch status {
    case NATS_OK: return
    case NATS_NO_RESPONDERS: throw unanswered
    case NATS_TIMEOUT: throw .engine("it does not answer")
    case NATS_CONNECTION_AUTH_FAILED: throw .engine("it refuses user, password or key")
    default:
      var detail = status
      let words = nats_GetLastError(&detail).map { String(cString: $0) } ?? ""
      let name = natsStatus_GetText(status).map { String(cString: $0) } ?? "an unknown failure"
      // The library puts the place in its own source before its words.
      throw .engine(words.split(separator: "): ").last.map(String.init) ?? name)
    }
  }
}

/// The answer to the question for the newest message of a subject.
enum NatsNewest {
  case message(StoredMessage)
  case nothing
  /// Nobody answers for the stream.
  case silence
}

/// The rights that the server has refused to the present connection.
///
/// A thread of the library tells them, whenever it comes to it; the thread that asks looks here
/// when an answer does not come.
enum NatsRights {
  private static let refused = Mutex<[String]>([])
  /// Refusals that are kept: the first ones tell what is wrong.
  private static let most = 16

  /// Begins with a new connection.
  static func forgetAll() { refused.withLock { $0 = [] } }

  /// Listens to what a connection tells beside its answers.
  static let listener: natsErrHandler = { connection, _, status, _ in
    guard status == NATS_NOT_PERMITTED else { return }
    var words: UnsafePointer<CChar>?
    _ = natsConnection_GetLastError(connection, &words)
    guard let words else { return }
    let text = String(cString: words)
    refused.withLock { if $0.count < most { $0.append(text) } }
  }

  /// The right that is missing for a question, which is told once for each time of asking.
  static func takeMissing(inbox: String) -> MissingRight? {
    refused.withLock { texts in
      let rights = texts.compactMap { MissingRight($0, inbox: inbox) }
      // Without the right to hear answers all other questions fail, too: it stays.
      let lasting = texts.filter { $0.contains("\"\(inbox).") }
      texts = lasting
      return lasting.first.flatMap { MissingRight($0, inbox: inbox) } ?? rights.last
    }
  }
}
