// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The machine of a run, in words.
struct MeasuredMachine {
  /// The processes that wanted a processor, on average of a minute, when the run began.
  private let loadBefore = MeasuredMachine.load

  var sentences: [String] {
    [
      "Machine: \(processor), \(processors) processors, \(memory).",
      "System: \(distribution), \(kernel).",
      "Load of the machine, on average of a minute: \(loadBefore) when the run began, "
        + "\(Self.load) when it ended; the benchmark's own is in the second.",
    ]
  }

  private static var load: String {
    String(Files.text("/proc/loadavg")?.prefix { $0 != " " } ?? "unknown")
  }

  private var processors: Int {
    let lines = Files.text("/proc/cpuinfo")?.split(separator: "\n") ?? []
    return lines.count { $0.hasPrefix("processor") }
  }

  private var processor: String {
    Self.value(of: "model name", in: "/proc/cpuinfo", before: ":") ?? "unknown processor"
  }

  private var memory: String {
    let total = Self.value(of: "MemTotal", in: "/proc/meminfo", before: ":")
    guard let kibibytes = total?.split(separator: " ").first.flatMap({ Double($0) }) else {
      return "unknown memory"
    }
    return "\(grouped(kibibytes / 1024 / 1024, decimals: 0)) GiB of memory"
  }

  private var distribution: String {
    let name = Self.value(of: "PRETTY_NAME", in: "/etc/os-release", before: "=")
    return name?.split(separator: "\"").joined() ?? "unknown distribution"
  }

  private var kernel: String {
    let release = Files.text("/proc/sys/kernel/osrelease")?.split(separator: "\n").first
    return "Linux " + (release.map(String.init) ?? "of an unknown release")
  }

  /// The rest of the line that begins with a name.
  private static func value(of name: String, in path: String, before sign: Character) -> String? {
    let lines = Files.text(path)?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix(name) }),
      let place = line.firstIndex(of: sign)
    else { return nil }
    let value = line[line.index(after: place)...].drop { $0 == " " || $0 == "\t" }
    return String(value)
  }
}
