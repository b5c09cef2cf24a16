// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd
import Glibc

/// The users who sit at the machine, as the login manager tells in files: nothing is asked over a
/// bus, and nobody is waited for.
package final class LoginSeats {
  private let monitor: OpaquePointer
  /// Readable when something may have changed.
  package let descriptor: FileDescriptor

  /// Nil where there is no login manager.
  package init?() {
    var made: OpaquePointer?
    guard sd_login_monitor_new(nil, &made) >= 0, let made else { return nil }
    monitor = made
    let number = dup(sd_login_monitor_get_fd(made))
    guard number >= 0 else {
      sd_login_monitor_unref(made)
      return nil
    }
    descriptor = FileDescriptor(adopting: number)
  }

  deinit { sd_login_monitor_unref(monitor) }

  /// Seats of one machine that are looked at.
  private static let most = 64

  /// The users of the sessions that are active at a seat by now; nil where there is no seat.
  package func sitting() -> [UInt32]? {
    sd_login_monitor_flush(monitor)
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_get_seats(&names)
    guard count > 0, let names else { return nil }
    var uids: [UInt32] = []
    for index in 0..<Int(count) {
      guard let name = names[index] else { break }
      var uid: uid_t = 0
      if index < Self.most, sd_seat_get_active(name, nil, &uid) >= 0 { uids.append(uid) }
      free(name)
    }
    free(names)
    return uids
  }

  /// The users who have a session; not those whose services run without one.
  package func people() -> [UInt32] {
    var uids: UnsafeMutablePointer<uid_t>?
    let count = sd_get_uids(&uids)
    guard count > 0, let uids else { return [] }
    defer { free(uids) }
    return UnsafeBufferPointer(start: uids, count: Int(count))
      .filter { state(of: $0) != "lingering" }
  }

  /// Whether all sessions of a user are in the background, and he has none without a seat, such as
  /// one from another machine.
  ///
  /// While a session opens, its user is online as well: without a seat he is not in the background.
  package func isInBackground(_ uid: UInt32) -> Bool {
    sd_login_monitor_flush(monitor)
    return state(of: uid) == "online" && sd_uid_get_seats(uid, 0, nil) > 0
  }

  private func state(of uid: UInt32) -> String? {
    var state: UnsafeMutablePointer<CChar>?
    guard sd_uid_get_state(uid, &state) >= 0, let state else { return nil }
    defer { free(state) }
    return String(cString: state)
  }
}

/// The identifier of the machine, as one program may tell it to others.
package enum MachineIdentity {
  /// The machine's identifier hashed with that of a program, as 32 hexadecimal digits.
  package static func hexadecimal(for program: String) throws(Errno) -> String {
    var application = sd_id128_t()
    try Errno.check(sd_id128_from_string(program, &application))
    var machine = sd_id128_t()
    try Errno.check(sd_id128_get_machine_app_specific(application, &machine))
    return withUnsafeBytes(of: machine.bytes) { bytes in
      bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.utf8.count < 2 ? "0\(digits)" : digits
      }.joined()
    }
  }
}
