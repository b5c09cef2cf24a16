// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The library for C: its own small tests against a real daemon, watched by valgrind and by the
/// thread sanitizer, and its way into a program.
@Suite(.timeLimit(.minutes(hangs)))
struct CLibraryTests {
  static let checks = [
    "announcements", "refusals", "nonsense", "without-handle", "path", "posting", "flood",
    "entries", "slow-reader", "signals", "restart", "publishing-over-restart",
    "post-over-restart", "silence", "descriptor", "oddities", "threads",
  ]

  private func run(_ program: String, _ words: String...) throws -> (status: Int32, output: String)
  {
    try Command(program, words, environment: ["A11YD_PROGRAM": DaemonProcess.program]).run()
  }

  @Test func `each of its tests is run here`() throws {
    try CClients.build()

    #expect(
      try run(CClients.built("check")).output.split(separator: "\n").map(String.init) == Self.checks
    )
  }

  @Test(arguments: checks)
  func `nothing is lost, misread or leaked`(check: String) throws {
    try CClients.build()

    let result = try run(
      "/usr/bin/valgrind",
      "-q",
      "--error-exitcode=9",
      "--leak-check=full",
      CClients.built("check"),
      check
    )

    #expect(result == (0, ""))
  }

  @Test(arguments: ["threads", "restart", "entries"])
  func `handles share nothing between threads`(check: String) throws {
    try CClients.build()

    #expect(try run(CClients.built("check-threads"), check) == (0, ""))
  }

  @Test func `it exports the functions of its header, and needs libc alone`() throws {
    try CClients.build()
    let library = CClients.built("liba11y.so")
    let header = try String(contentsOfFile: CClients.source("clients/c/a11y.h"), encoding: .utf8)
    let declared = header.matches(of: /(?m)^[a-z][a-z0-9_ ]*\*?(a11y_[a-z_]+)\(/).map { "\($0.1)" }
    let symbols = try Command("/usr/bin/nm", ["-D", "--defined-only", library]).output()
    // A function has the version behind it that it came with; a version is a symbol, too.
    let exported = symbols.split(separator: "\n").filter { $0.contains(" T ") }
      .compactMap { $0.split(separator: " ").last }
    let needs = try Command("/usr/bin/readelf", ["-d", library]).output()

    #expect(declared.count == 11)
    #expect(exported.compactMap { $0.firstRange(of: "@@A11Y_") }.count == declared.count)
    #expect(
      exported.compactMap { $0.split(separator: "@").first.map(String.init) }.sorted()
        == declared.sorted()
    )
    // Variables of a thread are found by the loader, which comes with libc.
    let libraries = needs.matches(of: /NEEDED.*\[(.*)\]/).map { $0.1 }
    #expect(libraries.filter { !$0.hasPrefix("ld-linux") } == ["libc.so.6"])
    #expect(needs.contains("soname: [liba11y.so.0]"))
  }

  @Test func `a post takes its caller less than three microseconds of the processor`() throws {
    try CClients.build()
    let daemon = try RunningDaemon()

    let line = try Command(CClients.built("measure-post"), [daemon.socket, "20000"]).output()

    print(line)
    let match = try #require(line.firstMatch(of: /([0-9.]+) µs of the processor/))
    #expect(try #require(Double(match.1)) < 3)
  }

  @Test func `the lines of its readme are a program once it is installed`() throws {
    try CClients.build()
    let directory = try ScratchDirectory()
    try CClients.make("install", "DESTDIR=\(directory.path)")
    let readme = try String(contentsOfFile: CClients.source("clients/c/README.md"), encoding: .utf8)
    let start = try #require(readme.range(of: "    #include <a11y.h>"))
    let end = try #require(readme.range(of: "\n    }\n", range: start.lowerBound..<readme.endIndex))
    try Data(readme[start.lowerBound..<end.upperBound].utf8)
      .write(to: URL(filePath: directory("app.c")))
    let library = "\(directory.path)/usr/lib"

    let flags = try Command(
      "/usr/bin/pkg-config",
      ["--cflags", "--libs", "a11y"],
      environment: [
        "PKG_CONFIG_PATH": "\(library)/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": directory.path,
        "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1",
      ]
    ).output()
    _ = try Command(
      "/usr/bin/cc",
      ["-Wall", "-Werror", directory("app.c"), "-o", directory("app")]
        + flags.split(separator: " ").map(String.init)
    ).output()
    let daemon = try RunningDaemon()
    let app = Command(
      directory("app"),
      [],
      environment: ["A11YD_SOCKET": daemon.socket, "LD_LIBRARY_PATH": library]
    )

    #expect(try app.run() == (0, ""))
    #expect(
      try daemon.entries().contains {
        let event = try $0.event()
        return event["text"] == "Message sent" && event["priority"] == "high"
      }
    )
    daemon.kill()
    let refused = try app.run()
    #expect(refused.status == 1 && refused.output.hasPrefix("Cannot reach the bus at "))
  }
}
