// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A program around the bus that a person switches on and off.
enum SetupPart: String, CaseIterable {
  case voice, orca, ears, notifications, braille

  /// The unit of systemd that keeps it.
  var unit: String { "\(program).service" }

  /// The name of the unit without its ending.
  var program: String {
    switch self {
    case .voice: "a11y-speech"
    case .orca: "a11y-mouth"
    case .ears: "a11y-ears"
    case .notifications: "a11y-notifications"
    case .braille: "a11y-braille"
    }
  }

  /// The subject of a sentence about it.
  var subject: String {
    switch self {
    case .voice: "The voice"
    case .orca: "Speech through Orca"
    case .ears: "The hearing of other programs"
    case .notifications: "The hearing of notifications"
    case .braille: "The braille display"
    }
  }

  /// The program of another package that it cannot do without, with that package.
  var need: (program: String, package: String)? {
    switch self {
    case .voice: ("speech-dispatcher", "speech-dispatcher")
    case .orca: ("orca", "orca")
    case .braille: ("brltty", "brltty")
    case .ears, .notifications: nil
    }
  }
}
