// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The rooms that a room knows: the direction of the tree, import by import.
@Suite struct ImportTests {
  struct Room: Sendable, CustomTestStringConvertible {
    let name: String
    let imports: Set<String>

    init(_ name: String, _ imports: String...) {
      self.name = name
      self.imports = Set(imports)
    }

    var testDescription: String { name }
  }

  /// All that a target may import, whether it does so now or not.
  static let rooms = [
    // Pure: the standard library, and what has no knowledge of a system either.
    Room("A11yWire", "CBytes", "CxxJSON"),
    Room("A11yModel", "A11yWire"),
    Room("A11yRules", "A11yWire"),
    Room("A11yPresenter", "A11yModel", "A11yRules", "A11yWire"),
    Room("A11yAdvice", "A11yModel", "A11yWire"),
    Room("A11yExplain", "A11yModel", "A11yPresenter", "A11yWire"),
    Room(
      "A11yBroker",
      "A11yAdvice",
      "A11yExplain",
      "A11yModel",
      "A11yPresenter",
      "A11yRules",
      "A11yWire"
    ),
    Room("A11yPlay", "A11yBroker", "A11yPresenter", "A11yModel", "A11yRules", "A11yWire"),

    // Glibc is for constants there; the calls are CLinux's.
    Room("A11yPosix", "CLinux", "Glibc"),
    Room("Systemd", "A11yPosix", "CSystemd", "Glibc"),
    Room("DBus", "A11yPosix", "CSystemd", "Glibc", "Systemd"),
    Room("A11yHttp", "A11yPosix"),
    Room("A11yLog", "A11yPosix", "A11yWire", "Glibc"),
    Room("A11yToml", "A11yPosix", "A11yRules", "A11yWire", "CxxToml"),
    Room(
      "A11yDaemon",
      "A11yBroker",
      "A11yExplain",
      "A11yHttp",
      "A11yPresenter",
      "A11yLog",
      "A11yModel",
      "A11yPosix",
      "A11yRules",
      "A11yToml",
      "A11yWire",
      "Glibc",
      "Systemd"
    ),
    Room("a11yd", "A11yDaemon", "A11yPosix", "A11yToml", "Glibc"),

    // The library that apps link pays for a socket, a codec and the fold of entries, nothing else.
    Room("A11yClient", "A11yModel", "A11yPosix", "A11yWire", "Glibc", "Synchronization"),
    Room(
      "a11yctl",
      "A11yAdvice",
      "A11yClient",
      "A11yBroker",
      "A11yExplain",
      "A11yHttp",
      "A11yPresenter",
      "A11yLog",
      "A11yModel",
      "A11yPlay",
      "A11yPosix",
      "A11yRules",
      "A11ySpeech",
      "A11yToml",
      "A11yWire",
      "CSQLite",
      "CWslay",
      "Glibc"
    ),
    Room("a11y-demo", "A11yClient", "A11yPosix", "A11yWire", "Glibc"),

    // Programs around the bus: the pure part of each is a room of its own.
    Room("A11ySpeech", "A11yClient", "A11yPosix", "A11yRules", "A11yToml"),
    Room("A11yAtspi", "A11yClient", "A11yToml", "A11yWire", "DBus"),
    Room(
      "A11yCompanion",
      "A11yClient",
      "A11yPosix",
      "A11yToml",
      "A11yWire",
      "Glibc",
      "Synchronization",
      "Systemd"
    ),
    Room(
      "a11y-atspi",
      "A11yAtspi",
      "A11yClient",
      "A11yCompanion",
      "A11yPosix",
      "A11yToml",
      "DBus",
      "Systemd"
    ),
    Room(
      "a11y-speech",
      "A11yClient",
      "A11yCompanion",
      "A11yPosix",
      "A11ySpeech",
      "A11yToml",
      "Glibc",
      "Systemd"
    ),
    Room("A11yBraille", "A11yClient", "A11yToml"),
    Room(
      "a11y-braille",
      "A11yBraille",
      "A11yClient",
      "A11yCompanion",
      "A11yPosix",
      "A11yToml",
      "CBrlapi",
      "Glibc",
      "Systemd"
    ),
    Room("A11ySsip", "A11yClient", "A11ySpeech", "A11yToml", "A11yWire"),
    Room(
      "a11y-ssip",
      "A11yClient",
      "A11yCompanion",
      "A11yPosix",
      "A11ySpeech",
      "A11ySsip",
      "A11yToml",
      "Systemd"
    ),
    Room("A11yForward", "A11yClient", "A11yToml", "A11yWire"),
    // Only this program has the libraries of the engines.
    Room(
      "a11y-forward",
      "A11yClient",
      "A11yCompanion",
      "A11yForward",
      "A11yPosix",
      "A11yToml",
      "A11yWire",
      "CHiredis",
      "CNats",
      "Glibc",
      "Synchronization",
      "Systemd"
    ),
    Room(
      "a11y-bench",
      "A11yClient",
      "A11yPosix",
      "A11yWire",
      "CSQLite",
      "Glibc",
      "Synchronization"
    ),
    Room(
      "a11y-sim",
      "A11yBroker",
      "A11yDaemon",
      "A11yPlay",
      "A11yPresenter",
      "A11yLog",
      "A11yModel",
      "A11yPosix",
      "A11yRules",
      "A11yWire",
      "Glibc"
    ),

    // C and C++ include, they do not import.
    Room("CBrlapi"), Room("CBytes"), Room("CHiredis"), Room("CLinux"), Room("CNats"),
    Room("CSQLite"), Room("CSystemd"), Room("CWipe"), Room("CWslay"), Room("CxxJSON"),
    Room("CxxToml"),
  ]

  static func imports(of room: String) throws -> [(module: String, file: String)] {
    try Tree.files(below: "Sources/\(room)", named: [".swift"]).flatMap { file in
      file.lines.compactMap { line -> (String, String)? in
        // Few lines have the word, and an expression is slow to say so.
        guard line.split(separator: " ").contains("import") else { return nil }
        // A text of words may have a line with this one in it.
        let statement = /^(?:@\w+ |public |package |internal )*import (?:class |func )?([\w.]+)$/
        guard let match = line.firstMatch(of: statement) else { return nil }
        return (String(match.1), file.path)
      }
    }
  }

  @Test(arguments: rooms)
  func `a room imports nothing but what lies before it`(room: Room) throws {
    for (module, file) in try Self.imports(of: room.name) {
      #expect(room.imports.contains(module), "\(file) imports \(module)")
    }
  }

  @Test func `every folder in Sources is a room of the table`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Tree.root.appending(path: "Sources").path
    )

    #expect(Set(folders) == Set(Self.rooms.map(\.name)))
  }

  @Test func `no two rooms import each other, however long the way`() {
    var known: Set<String> = []
    var left = Self.rooms
    while let next = left.firstIndex(where: { room in
      room.imports.allSatisfy { name in known.contains(name) || !left.contains { $0.name == name } }
    }) {
      known.insert(left.remove(at: next).name)
    }

    #expect(left.map(\.name) == [])
  }

  @Test func `the client library takes threads from the system, and nothing else`() throws {
    let files = try Self.imports(of: "A11yClient").filter { $0.module == "Glibc" }.map(\.file)

    #expect(Set(files).isSubset(of: ["Sources/A11yClient/Drivers/Thread.swift"]))
  }

  @Test func `nobody imports Foundation in Sources`() throws {
    for file in try Tree.files(below: "Sources") {
      let places = file.places {
        $0.contains("import Foundation") || $0.contains("import Dispatch")
      }
      #expect(places == [])
    }
  }

  @Test func `the imports that are looked for are found`() throws {
    let found = try Set(Self.imports(of: "A11yWire").map(\.module))

    #expect(found == ["CBytes", "CxxJSON"])
  }
}
