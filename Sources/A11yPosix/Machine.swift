// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

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

/// The environment that the process was started in.
package enum Environment {
  /// The value of a variable; one that is not UTF-8 counts as not set.
  package static func value(_ name: String) -> String? {
    linux_environment(name).flatMap { String(validatingCString: $0) }
  }

  /// All variables, as `NAME=VALUE`; those that are not UTF-8 are left out.
  package static var all: [String] {
    var place = environ
    var all: [String] = []
    while let variable = place.pointee {
      if let text = String(validatingCString: variable) { all.append(text) }
      place += 1
    }
    return all
  }

  /// The user whose rights this process has.
  package static var uid: UInt32 { linux_effective_uid() }
}

/// The directories of the configuration, the machine's and the user's.
package enum ConfigHome {
  /// `/etc/a11yd`, unless the programs were built with another SYSCONFDIR.
  package static let ofMachine = String(cString: linux_configuration())

  /// `$XDG_CONFIG_HOME`, else `~/.config`, as the XDG specification has it; nil without a home.
  package static func find(in environment: (String) -> String?) -> String? {
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }
  }
}

/// The kernel's clocks, in microseconds.
package struct SystemClock: Sendable {
  package init() {}

  /// Since the machine booted, sleep included: entries carry it and windows are measured by it.
  package static func bootMicroseconds() -> UInt64 { linux_boot_microseconds() }

  /// Since the machine booted, standing still in sleep: what systemd's own times are in.
  package static func monotonicMicroseconds() -> UInt64 { linux_monotonic_microseconds() }

  /// Since 1970, as people set it: it may jump in both directions.
  package static func wallMicroseconds() -> Int64 { linux_wall_microseconds() }
}
