// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix

/// Whether apps ask the bus for advice on their events.
///
/// Advice is for the developers of an app: a debug build asks for it, a release does not and pays
/// nothing. `A11YD_ADVICE` overrides both, with 1 for yes and 0 for no.
public enum AdviceSetting {
  /// Whether a hello of this process asks for advice, unless the call says otherwise.
  public static let isWanted = wanted(Environment.value("A11YD_ADVICE"), isDebugBuild: isDebugBuild)

  static func wanted(_ variable: String?, isDebugBuild: Bool) -> Bool {
    switch variable {
    case "1": true
    case "0": false
    default: isDebugBuild
    }
  }

  private static var isDebugBuild: Bool {
    #if DEBUG
    true
    #else
    false
    #endif
  }
}
