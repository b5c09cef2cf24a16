// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yHttp
import A11yPosix
import A11yWire
import CWslay

/// The server's end of a WebSocket, from its opening to its end; no call waits.
///
/// wslay reads and writes the frames; it answers pings and closings, and checks that a text is one.
final class WebSocket {
  /// A message of the other end.
  enum Message: Equatable {
    case text(String)
    case binary
  }

  let socket: FileDescriptor
  /// The name by which the kernel tells of this connection.
  let token: UInt64
  /// When it must be open.
  private let patience: UInt64
  /// The request that opens it, and then bytes that came with it.
  private var early: [UInt8] = []
  /// The frames' reader and writer; nil until it is open.
  private var context: wslay_event_context_ptr?
  private var messages: [Message] = []
  /// Bytes that may be read in this turn, so that a busy client leaves time for others.
  private var share = 0
  private var hasFailed = false

  /// The longest message that is taken.
  static let mostBytes = A11yWire.Limits.lineBytes
  /// The bytes that a client may leave unread; with more it is not there any more.
  static let mostUnsent = 1 << 20
  /// The bytes of a client that are read in one turn.
  private static let turn = 65_536

  init(_ socket: consuming FileDescriptor, token: UInt64, deadline: UInt64) {
    self.socket = socket
    self.token = token
    patience = deadline
  }

  deinit { if let context { wslay_event_context_free(context) } }

  /// When it must be open; nil behind that.
  var deadline: UInt64? { context == nil ? patience : nil }

  func isLate(at now: UInt64) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Whether nothing more will come or go.
  var hasEnded: Bool {
    guard let context else { return hasFailed }
    return hasFailed
      || wslay_event_want_read(context) == 0 && wslay_event_want_write(context) == 0
  }

  /// The readiness that it waits for.
  var wanted: Readiness {
    guard let context else { return .readable }
    var wanted: Readiness = []
    if wslay_event_want_read(context) != 0 { wanted.insert(.readable) }
    if wslay_event_want_write(context) != 0 { wanted.insert(.writable) }
    return wanted
  }

  /// Reads what has come, and returns the messages that are whole; first it is opened.
  func receive(_ opening: WebSocketOpening) -> [Message] {
    defer { messages = [] }
    share = Self.turn
    if context == nil { open(opening) }
    if let context, wslay_event_recv(context) != 0 { hasFailed = true }
    // Pings and closings have been answered.
    flush()
    return messages
  }

  private func open(_ opening: WebSocketOpening) {
    var piece = [UInt8](repeating: 0, count: HttpHead.bytes)
    switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
    case .bytes(let count): early += piece[..<count]
    case .wouldBlock: return
    case .ended, .failed: hasFailed = true
    }
    let head = HttpHead(early)
    guard !hasFailed, head != .incomplete else { return }
    let (bytes, isOpen) = opening.answer(to: head)
    // Some hundred bytes fit into the buffer of a fresh connection.
    guard case .sent(bytes.count) = socket.send(bytes.span), isOpen, begin() else {
      try? socket.shutdownSending()
      hasFailed = true
      return
    }
    let ends = early.indices.filter { early[$0] == UInt8(ascii: "\n") }
    let end = zip(ends, ends.dropFirst()).first { $1 - $0 <= 2 }.map { $1 + 1 }
    early.removeFirst(end ?? early.count)
  }

  private func begin() -> Bool {
    var callbacks = Self.callbacks
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard wslay_event_context_server_init(&context, &callbacks, this) == 0 else { return false }
    wslay_event_config_set_max_recv_msg_length(context, UInt64(Self.mostBytes))
    return true
  }

  func send(_ message: JSONValue) { send(message.description) }

  /// Sends a text, as far as the other end takes it.
  private func send(_ text: String) {
    guard let context else { return }
    var text = text
    let result = text.withUTF8 { bytes in
      var message = wslay_event_msg(
        opcode: UInt8(WSLAY_TEXT_FRAME.rawValue),
        msg: bytes.baseAddress,
        msg_length: bytes.count
      )
      return wslay_event_queue_msg(context, &message)
    }
    if wslay_event_get_queued_msg_length(context) > Self.mostUnsent { hasFailed = true }
    // Behind a closing nothing is sent.
    if result == 0 { flush() }
  }

  private func flush() {
    if let context, wslay_event_send(context) != 0 { hasFailed = true }
  }

  /// Says that the server goes away.
  func close() {
    guard let context else { return }
    wslay_event_queue_close(context, UInt16(WSLAY_CODE_GOING_AWAY.rawValue), nil, 0)
    flush()
  }

  // MARK: What wslay asks for

  private static var callbacks: wslay_event_callbacks {
    var callbacks = wslay_event_callbacks()
    callbacks.recv_callback = { context, bytes, count, _, this in
      WebSocket.of(this).read(into: bytes, count, context)
    }
    callbacks.send_callback = { context, bytes, count, _, this in
      WebSocket.of(this).write(bytes, count, context)
    }
    callbacks.on_msg_recv_callback = { _, message, this in
      guard let message = message?.pointee else { return }
      WebSocket.of(this).take(message)
    }
    return callbacks
  }

  private static func of(_ this: UnsafeMutableRawPointer?) -> WebSocket {
    guard let this else { preconditionFailure("wslay hands back what it was given") }
    return Unmanaged<WebSocket>.fromOpaque(this).takeUnretainedValue()
  }

  private func read(
    into bytes: UnsafeMutablePointer<UInt8>?,
    _ count: Int,
    _ context: wslay_event_context_ptr?
  ) -> Int {
    let room = UnsafeMutableRawBufferPointer(start: bytes, count: min(count, share))
    guard !room.isEmpty else { return refuse(WSLAY_ERR_WOULDBLOCK, context) }
    if !early.isEmpty {
      let piece = early.prefix(room.count)
      room.copyBytes(from: piece)
      early.removeFirst(piece.count)
      return piece.count
    }
    switch socket.receive(into: room) {
    case .bytes(let count):
      share -= count
      return count
    case .wouldBlock: return refuse(WSLAY_ERR_WOULDBLOCK, context)
    case .ended, .failed: return refuse(WSLAY_ERR_CALLBACK_FAILURE, context)
    }
  }

  private func write(
    _ bytes: UnsafePointer<UInt8>?,
    _ count: Int,
    _ context: wslay_event_context_ptr?
  ) -> Int {
    switch socket.send(UnsafeRawBufferPointer(start: bytes, count: count)) {
    case .sent(let count): return count
    case .wouldBlock: return refuse(WSLAY_ERR_WOULDBLOCK, context)
    case .failed: return refuse(WSLAY_ERR_CALLBACK_FAILURE, context)
    }
  }

  private func refuse(_ error: wslay_error, _ context: wslay_event_context_ptr?) -> Int {
    wslay_event_set_error(context, error.rawValue)
    return -1
  }

  private func take(_ message: wslay_event_on_msg_recv_arg) {
    switch wslay_opcode(UInt32(message.opcode)) {
    case WSLAY_TEXT_FRAME:
      let bytes = UnsafeBufferPointer(start: message.msg, count: message.msg_length)
      messages.append(.text(String(decoding: bytes, as: UTF8.self)))
    case WSLAY_BINARY_FRAME: messages.append(.binary)
    default: break
    }
  }
}
