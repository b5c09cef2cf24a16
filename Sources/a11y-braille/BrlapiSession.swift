// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBraille
import CBrlapi
import Glibc

/// A failure of BRLTTY or of the way to it, in the words of its library.
struct BrlapiFailure: Error, Equatable {
  let words: String

  static var last: BrlapiFailure {
    BrlapiFailure(words: String(cString: brlapi_strerror(brlapi_error_location())))
  }
}

/// A connection with BRLTTY by way of libbrlapi.
///
/// Opening, measuring, taking and leaving the display wait for BRLTTY's answer, for ever if it
/// hangs. So a session lives on a thread of its own. Only looking for keys comes back at once.
final class BrlapiSession {
  private let handle: OpaquePointer
  private let memory: UnsafeMutableRawPointer
  /// The socket, which the library owns.
  let number: Int32
  private var isShowing = false
  /// Whether BRLTTY has told of a change of the display since it was measured.
  private(set) var hasNewSize = false

  /// Before screen readers, which have 50 and at most 70: a message is short, and gives way.
  private static let priority: UInt32 = 80
  /// Events that are taken at once; the rest is taken in the next round.
  private static let mostEvents = 64

  /// Connects to the BRLTTY that the environment names, or else to the machine's.
  init() throws(BrlapiFailure) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: brlapi_getHandleSize(),
      alignment: 16
    )
    let number = brlapi__openConnection(OpaquePointer(memory), nil, nil)
    guard number >= 0 else {
      let failure = BrlapiFailure.last
      memory.deallocate()
      throw failure
    }
    self.memory = memory
    self.number = number
    handle = OpaquePointer(memory)
    // The library's own handler ends the process; the failing call tells the same.
    brlapi__setExceptionHandler(handle) { _, _, _, _, _ in }
    watchSize()
    var priority = Self.priority
    // Without priorities, as before BRLTTY 6.2, the newest client is seen.
    _ = brlapi__setParameter(
      handle,
      BRLAPI_PARAM_CLIENT_PRIORITY,
      0,
      brlapi_param_flags_t(BRLAPI_PARAMF_LOCAL),
      &priority,
      MemoryLayout.size(ofValue: priority)
    )
  }

  deinit {
    brlapi__closeConnection(handle)
    memory.deallocate()
  }

  // MARK: The size

  private func watchSize() {
    _ = brlapi__watchParameter(
      handle,
      BRLAPI_PARAM_DISPLAY_SIZE,
      0,
      brlapi_param_flags_t(BRLAPI_PARAMF_GLOBAL),
      { _, _, _, context, _, _ in
        guard let context else { return }
        Unmanaged<BrlapiSession>.fromOpaque(context).takeUnretainedValue().hasNewSize = true
      },
      Unmanaged.passUnretained(self).toOpaque(),
      nil,
      0
    )
  }

  /// The measures of the display; nil where BRLTTY has none.
  ///
  /// The library remembers the answer to the usual question, so the parameter is asked for.
  func size() throws(BrlapiFailure) -> DisplaySize? {
    var measures: (columns: UInt32, rows: UInt32) = (0, 0)
    let result = brlapi__getParameter(
      handle,
      BRLAPI_PARAM_DISPLAY_SIZE,
      0,
      brlapi_param_flags_t(BRLAPI_PARAMF_GLOBAL),
      &measures,
      MemoryLayout.size(ofValue: measures)
    )
    guard result >= 0 else { throw .last }
    hasNewSize = false
    return DisplaySize(columns: Int(measures.columns), rows: Int(measures.rows))
  }

  // MARK: The display

  /// Takes the display of the session's terminal, and writes on it.
  func present(_ cells: String) throws(BrlapiFailure) {
    if !isShowing { try takeDisplay() }
    var text = Array(cells.utf8CString)
    let result = text.withUnsafeMutableBufferPointer { text in
      "UTF-8".withCString { charset in
        var arguments = brlapi_writeArguments_t()
        arguments.displayNumber = BRLAPI_DISPLAY_DEFAULT
        arguments.regionBegin = 1
        // Below zero: BRLTTY fills the rest of the display, or cuts what is too long for it.
        arguments.regionSize = Int32(0 - cells.unicodeScalars.count)
        arguments.text = UnsafePointer(text.baseAddress)
        arguments.textSize = Int32(text.count - 1)
        arguments.cursor = BRLAPI_CURSOR_OFF
        arguments.charset = charset
        return brlapi__write(handle, &arguments)
      }
    }
    guard result == 0 else { throw .last }
  }

  private func takeDisplay() throws(BrlapiFailure) {
    guard brlapi__enterTtyModeWithPath(handle, nil, 0, nil) == 0 else { throw .last }
    isShowing = true
    // All other keys stay with BRLTTY.
    let keys = [brlapi_key_window_left, brlapi_key_window_right]
    guard brlapi__ignoreKeys(handle, brlapi_rangeType_all, nil, 0) == 0,
      brlapi__acceptKeys(handle, brlapi_rangeType_key, keys, UInt32(keys.count)) == 0
    else { throw .last }
  }

  /// Gives the display back to BRLTTY, which then shows the user's own screen again.
  func giveBack() throws(BrlapiFailure) {
    guard isShowing else { return }
    isShowing = false
    guard brlapi__leaveTtyMode(handle) == 0 else { throw .last }
  }

  // MARK: Events

  /// Takes the keys that were pressed, and notes changes of the size.
  func takeKeys() throws(BrlapiFailure) -> [Board.Key] {
    var keys: [Board.Key] = []
    // Without the display there are no keys, and the library refuses to look for them.
    for _ in 0..<(isShowing ? Self.mostEvents : 1) {
      // A call that finds nothing may leave the words of an earlier failure.
      brlapi_error_location().pointee.brlerrno = BRLAPI_ERROR_SUCCESS
      var code: brlapi_keyCode_t = 0
      switch isShowing ? brlapi__readKey(handle, 0, &code) : brlapi__pause(handle, 0) {
      case 0: return keys
      case 1:
        switch code & brlapi_key_without_flags {
        case brlapi_key_window_left: keys.append(.left)
        case brlapi_key_window_right: keys.append(.right)
        default: break
        }
      case _ where Self.error.brlerrno == BRLAPI_ERROR_SUCCESS: return keys
      case _ where Self.wasInterrupted: continue
      default: throw .last
      }
    }
    return keys
  }

  private static var error: brlapi_error_t { brlapi_error_location().pointee }

  /// Whether the last call ended early by a signal or by news of the display.
  private static var wasInterrupted: Bool {
    error.brlerrno == BRLAPI_ERROR_LIBCERR && error.libcerrno == EINTR
  }
}
