// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd

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
