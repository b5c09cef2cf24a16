// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The machine and this process, as the kernel knows them.
package enum Machine {
  /// This boot's identifier, 32 hexadecimal digits: boot times of different boots do not compare.
  package static func bootID() throws(Errno) -> String {
    let text = try? File.read("/proc/sys/kernel/random/boot_id", limit: 64)
    let digits = (text ?? []).filter(isHexadecimal)
    guard digits.count == 32 else { throw .inputOutput }
    return String(decoding: digits, as: UTF8.self)
  }

  /// 128 random bits as 32 hexadecimal digits.
  package static func randomHex128() -> String {
    var bits: (UInt64, UInt64) = (0, 0)
    let result = withUnsafeMutableBytes(of: &bits) { linux_random($0.baseAddress!, $0.count) }
    precondition(result == 16, "the kernel has random bits for 16 bytes")
    return hexadecimal(bits.0) + hexadecimal(bits.1)
  }

  /// The number of this process.
  package static var processID: Int32 { linux_process_id() }

  /// Keeps the memory of this process, with the texts in it, out of core dumps.
  package static func forbidDumps() { linux_forbid_dumps() }

  /// Refuses this process more memory than so many bytes: a library that takes all that a neighbour
  /// sends has an error then.
  package static func limitMemory(to bytes: UInt64) { linux_limit_memory(bytes) }

  /// Gives back the memory of code that only the start has needed.
  package static func forgetStart() { linux_forget_start() }

  /// Gives memory back to the machine that this process has freed.
  package static func giveBackMemory() { linux_give_back() }

  /// Raises the number of open descriptors to what is allowed and returns what holds now.
  ///
  /// The usual soft limit of 1024 protects programs that still use select(2); we do not.
  package static func raiseOpenFiles() -> Int { Int(clamping: linux_raise_open_files()) }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
