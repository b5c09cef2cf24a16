// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import DBus

/// The service of Orca on the session's bus, by its name there.
package enum OrcaService: String, CaseIterable, Sendable {
  /// Of Orca 49 and 50.
  case early = "org.gnome.Orca.Service"
  /// Of Orca 51 and later.
  case late = "org.gnome.Orca1.Service"

  /// A method with its values.
  package typealias Call = (method: DBusMethod, values: [DBusValue])

  private var path: String {
    switch self {
    case .early: "/org/gnome/Orca/Service"
    case .late: "/org/gnome/Orca1/Service"
    }
  }

  /// Has Orca speak a text and show it in braille, behind all that it speaks already.
  package func presenting(_ text: String) -> Call {
    (DBusMethod(rawValue, path, rawValue, "PresentMessage"), [.string(text)])
  }

  /// Has Orca stop all speech; one of these calls is known to it.
  package var interruptions: [Call] {
    switch self {
    case .early:
      // The module has another name in each of the two versions.
      ["SpeechAndVerbosityManager", "SpeechManager"].map { module in
        let place = "\(path)/\(module)"
        return (
          DBusMethod(rawValue, place, "org.gnome.Orca.Module", "ExecuteCommand"),
          [.string("InterruptSpeech"), .boolean(false)]
        )
      }
    case .late:
      [
        (
          DBusMethod(
            rawValue,
            "\(path)/SpeechManager",
            "org.gnome.Orca1.SpeechManager",
            "InterruptSpeech"
          ),
          [.boolean(false)]
        )
      ]
    }
  }
}
