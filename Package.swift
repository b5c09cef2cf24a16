// swift-tools-version: 6.3
// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The strictness that every Swift target keeps.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

/// The pure rooms' addition: every unsafe operation is marked at its place.
let pure: [SwiftSetting] = house + [.strictMemorySafety()]

/// The directory of the machine's configuration, as it is called in makefiles.
let sysconfdir = Context.environment["SYSCONFDIR"] ?? "/etc"

/// Programs for libFuzzer, which brings their main function, built for `tools/fuzz` alone.
let fuzzers: [Target] =
  Context.environment["A11Y_FUZZ"] == nil
  ? []
  : ["lines", "entries", "requests", "config", "metrics", "recovery", "canary"].map { name in
    .executableTarget(
      name: "fuzz-\(name)",
      dependencies: ["FuzzKit"],
      path: "Tests/Fuzz/fuzz-\(name)",
      swiftSettings: house
    )
  }

let package = Package(
  name: "a11yd",
  products: [
    .library(name: "A11yClient", targets: ["A11yClient"]),
    .executable(name: "a11yd", targets: ["a11yd"]),
    .executable(name: "a11yctl", targets: ["a11yctl"]),
    .executable(name: "a11y-speech", targets: ["a11y-speech"]),
    .executable(name: "a11y-braille", targets: ["a11y-braille"]),
    .executable(name: "a11y-atspi", targets: ["a11y-atspi"]),
    .executable(name: "a11y-forward", targets: ["a11y-forward"]),
    .executable(name: "a11y-ssip", targets: ["a11y-ssip"]),
    .executable(name: "a11y-demo", targets: ["a11y-demo"]),
    .executable(name: "a11y-bench", targets: ["a11y-bench"]),
    .executable(name: "a11y-sim", targets: ["a11y-sim"]),
  ],
  targets: [
    // Decode: bytes to messages and back. Pure.
    .target(name: "CBytes"),
    .target(name: "CxxJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "A11yWire", dependencies: ["CBytes", "CxxJSON"], swiftSettings: pure),

    // Decide: the reducer. Pure.
    .target(name: "A11yModel", dependencies: ["A11yWire"], swiftSettings: pure),
    .target(name: "A11yRules", dependencies: ["A11yWire"], swiftSettings: pure),
    .target(
      name: "A11yPresenter",
      dependencies: ["A11yModel", "A11yRules", "A11yWire"],
      swiftSettings: pure
    ),
    .target(
      name: "A11yAdvice",
      dependencies: ["A11yModel", "A11yWire"],
      swiftSettings: pure
    ),
    .target(
      name: "A11yExplain",
      dependencies: ["A11yModel", "A11yPresenter", "A11yWire"],
      swiftSettings: pure
    ),
    .target(
      name: "A11yBroker",
      dependencies: [
        "A11yAdvice", "A11yExplain", "A11yModel", "A11yPresenter", "A11yRules", "A11yWire",
      ],
      swiftSettings: pure
    ),

    // Play: the same in virtual time. Pure.
    .target(
      name: "A11yPlay",
      dependencies: ["A11yBroker", "A11yPresenter", "A11yModel", "A11yRules", "A11yWire"],
      swiftSettings: pure
    ),

    // Act: the kernel, systemd, the daemon around the broker.
    .target(
      name: "CLinux",
      cSettings: [.define("_GNU_SOURCE"), .define("A11Y_SYSCONFDIR", to: "\"\(sysconfdir)\"")]
    ),
    .target(name: "A11yPosix", dependencies: ["CLinux"], swiftSettings: house),
    .systemLibrary(
      name: "CSystemd",
      pkgConfig: "libsystemd",
      providers: [.apt(["libsystemd-dev"])]
    ),
    .target(name: "Systemd", dependencies: ["A11yPosix", "CSystemd"], swiftSettings: house),
    .target(
      name: "DBus",
      dependencies: ["A11yPosix", "CSystemd", "Systemd"],
      swiftSettings: house
    ),
    .target(
      name: "A11yLog",
      dependencies: ["A11yPosix", "A11yWire"],
      swiftSettings: house
    ),
    .target(name: "A11yHttp", dependencies: ["A11yPosix"], swiftSettings: house),
    .target(name: "CxxToml"),
    .target(
      name: "A11yToml",
      dependencies: ["A11yPosix", "A11yRules", "A11yWire", "CxxToml"],
      swiftSettings: house
    ),
    .target(
      name: "A11yDaemon",
      dependencies: [
        "A11yBroker", "A11yExplain", "A11yHttp", "A11yLog", "A11yModel", "A11yPosix",
        "A11yPresenter", "A11yRules", "A11yToml", "A11yWire", "Systemd",
      ],
      swiftSettings: house
    ),
    .target(name: "CWipe"),
    .executableTarget(
      name: "a11yd",
      dependencies: ["A11yDaemon", "A11yPosix", "A11yToml", "CWipe"],
      swiftSettings: house
    ),

    // Prove: broker and log on a clock, a disk and sockets that a seed commands.
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .executableTarget(
      name: "a11y-sim",
      dependencies: [
        "A11yBroker", "A11yDaemon", "A11yPlay", "A11yPresenter", "A11yLog", "A11yModel",
        "A11yPosix", "A11yRules",
        "A11yWire",
      ],
      swiftSettings: house
    ),

    // Use: the client library and what is written on it.
    .target(
      name: "A11yClient",
      dependencies: ["A11yModel", "A11yPosix", "A11yWire"],
      swiftSettings: house
    ),
    .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),
    .executableTarget(
      name: "a11yctl",
      dependencies: [
        "A11yAdvice", "A11yBroker", "A11yClient", "A11yExplain", "A11yHttp", "A11yLog", "A11yModel",
        "A11yPlay", "A11yPosix", "A11yPresenter", "A11yRules", "A11ySpeech", "A11yToml", "A11yWire",
        "CSQLite", "CWslay",
      ],
      resources: [.embedInCode("Report/page.css"), .embedInCode("Report/page.js")],
      swiftSettings: house
    ),
    // Stand around: readers and bridges, each a process of its own.
    .target(
      name: "A11yCompanion",
      dependencies: ["A11yClient", "A11yPosix", "A11yToml", "A11yWire", "Systemd"],
      swiftSettings: house
    ),
    .target(
      name: "A11ySpeech",
      dependencies: ["A11yClient", "A11yPosix", "A11yRules", "A11yToml"],
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-speech",
      dependencies: [
        "A11yClient", "A11yCompanion", "A11yPosix", "A11ySpeech", "A11yToml", "Systemd",
      ],
      swiftSettings: house
    ),
    .target(
      name: "A11ySsip",
      dependencies: ["A11yClient", "A11ySpeech", "A11yToml", "A11yWire"],
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-ssip",
      dependencies: [
        "A11yClient", "A11yCompanion", "A11yPosix", "A11ySpeech", "A11ySsip", "A11yToml", "Systemd",
      ],
      swiftSettings: house
    ),
    .systemLibrary(name: "CBrlapi", providers: [.apt(["libbrlapi-dev"])]),
    .target(
      name: "A11yBraille",
      dependencies: ["A11yClient", "A11yToml"],
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-braille",
      dependencies: [
        "A11yBraille", "A11yClient", "A11yCompanion", "A11yPosix", "A11yToml", "CBrlapi", "Systemd",
      ],
      swiftSettings: house
    ),
    .target(
      name: "A11yAtspi",
      dependencies: ["A11yClient", "A11yToml", "A11yWire", "DBus"],
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-atspi",
      dependencies: [
        "A11yAtspi", "A11yClient", "A11yCompanion", "A11yPosix", "A11yToml", "DBus", "Systemd",
      ],
      swiftSettings: house
    ),
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(name: "CNats", providers: [.apt(["libnats-dev"])]),
    .target(
      name: "A11yForward",
      dependencies: ["A11yClient", "A11yToml", "A11yWire"],
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-forward",
      dependencies: [
        "A11yClient", "A11yCompanion", "A11yForward", "A11yPosix", "A11yToml", "A11yWire",
        "CHiredis", "CNats", "Systemd",
      ],
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-demo",
      dependencies: ["A11yClient", "A11yPosix", "A11yWire"],
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-counter",
      dependencies: ["A11yClient"],
      path: "clients/swift",
      swiftSettings: house
    ),
    .executableTarget(
      name: "a11y-bench",
      dependencies: ["A11yClient", "A11yPosix", "A11yWire", "CSQLite"],
      swiftSettings: house
    ),

    // Tests mirror the rooms.
    .executableTarget(
      name: "own-process",
      dependencies: ["A11yPosix", "Systemd"],
      path: "Tests/OwnProcess",
      swiftSettings: house
    ),
    .target(
      name: "A11yTestKit",
      dependencies: [
        "A11yBroker", "A11yPresenter", "A11yLog", "A11yModel", "A11yPosix", "A11yRules", "A11yToml",
        "A11yWire",
      ],
      path: "Tests/A11yTestKit",
      swiftSettings: house
    ),
    .target(
      name: "FuzzKit",
      dependencies: [
        "A11yBroker", "A11yDaemon", "A11yHttp", "A11yLog", "A11yPosix", "A11yRules", "A11yTestKit",
        "A11yToml", "A11yWire",
      ],
      path: "Tests/FuzzKit",
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yWireTests",
      dependencies: ["A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yHttpTests",
      dependencies: ["A11yHttp", "A11yTestKit"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yRulesTests",
      dependencies: ["A11yRules", "A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yAdviceTests",
      dependencies: ["A11yAdvice", "A11yModel", "A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yBrokerTests",
      dependencies: [
        "A11yAdvice", "A11yBroker", "A11yExplain", "A11yModel", "A11yPresenter", "A11yRules",
        "A11yTestKit", "A11yWire",
      ],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yExplainTests",
      dependencies: ["A11yExplain", "A11yModel", "A11yPresenter", "A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yPlayTests",
      dependencies: [
        "A11yBroker", "A11yPresenter", "A11yModel", "A11yPlay", "A11yRules", "A11yTestKit",
        "A11yWire",
      ],
      swiftSettings: house
    ),
    .testTarget(
      name: "HeardTests",
      dependencies: ["A11yPlay", "A11yRules", "A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yModelTests",
      dependencies: ["A11yModel", "A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yPresenterTests",
      dependencies: [
        "A11yBroker", "A11yPresenter", "A11yModel", "A11yRules", "A11yTestKit", "A11yWire",
      ],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yLogTests",
      dependencies: ["A11yLog", "A11yPosix", "A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yPosixTests",
      dependencies: ["A11yPosix", "A11yTestKit"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yTomlTests",
      dependencies: ["A11yPosix", "A11yRules", "A11yTestKit", "A11yToml", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yClientTests",
      dependencies: ["A11yClient", "A11yPosix", "A11yTestKit", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yctlTests",
      dependencies: [
        "A11yAdvice", "A11yClient", "A11yHttp", "A11yPlay", "A11yPosix", "A11yRules", "A11yTestKit",
        "A11yWire", "a11yctl",
      ],
      exclude: ["Hook/hooks.txt", "entries.txt", "stats.txt"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11ySpeechTests",
      dependencies: [
        "A11yClient", "A11ySpeech", "A11yTestKit", "A11yToml", "A11yWire",
      ],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yForwardTests",
      dependencies: ["A11yClient", "A11yForward", "A11yTestKit", "A11yToml", "A11yWire"],
      swiftSettings: house
    ),
    .testTarget(
      name: "SystemdTests",
      dependencies: ["A11yPosix", "A11yTestKit", "Systemd"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yAtspiTests",
      dependencies: ["A11yAtspi", "A11yClient", "A11yTestKit", "A11yToml", "A11yWire", "DBus"],
      swiftSettings: house
    ),
    .testTarget(
      name: "DBusTests",
      dependencies: ["A11yPosix", "A11yTestKit", "DBus", "Systemd"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yDaemonTests",
      dependencies: [
        "A11yBroker", "A11yDaemon", "A11yHttp", "A11yPresenter", "A11yLog", "A11yModel",
        "A11yPosix", "A11yRules", "A11yTestKit", "A11yToml", "A11yWire", "FuzzKit", "Systemd",
      ],
      swiftSettings: house
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "A11yAtspi", "A11yBraille", "A11yClient", "A11yForward", "A11yPosix", "A11ySpeech",
        "A11ySsip", "A11yTestKit", "A11yToml", "A11yWire", "CSQLite", "DBus", "Systemd",
        "a11y-atspi", "a11y-counter", "a11y-demo", "a11y-forward", "a11y-speech", "a11y-ssip",
        "a11yctl", "a11yd",
      ],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11yBrailleTests",
      dependencies: [
        "A11yBraille", "A11yClient", "A11yPosix", "A11yTestKit", "A11yToml", "A11yWire",
        "a11y-braille", "a11yd",
      ],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11ySsipTests",
      dependencies: [
        "A11yClient", "A11yPosix", "A11ySpeech", "A11ySsip", "A11yTestKit", "A11yToml", "A11yWire",
        "a11y-ssip", "a11yd",
      ],
      exclude: ["replies.txt"],
      swiftSettings: house
    ),
    .testTarget(
      name: "A11ySimTests",
      dependencies: ["A11yLog", "A11yPosix", "A11yTestKit", "a11y-sim"],
      swiftSettings: house
    ),
    .testTarget(name: "TidyTests", swiftSettings: house),
  ] + fuzzers,
  cxxLanguageStandard: .cxx20
)

// `make quick` names the suites that it runs, and the others are not built.
if let quick = Context.environment["A11Y_QUICK"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !quick.contains($0.name) }
}
