// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The resident memory of a process.
enum ResidentMemory {
  static func bytes(of process: pid_t) throws(BenchFailure) -> Int {
    let lines = Files.text("/proc/\(process)/status")?.split(separator: "\n") ?? []
    for line in lines where line.hasPrefix("VmRSS:") {
      if let kibibytes = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
        .flatMap({ Int($0) })
      {
        return kibibytes * 1024
      }
    }
    throw BenchFailure("the memory of process \(process) cannot be read")
  }
}
