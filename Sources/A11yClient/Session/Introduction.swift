// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix

/// The part of a client beyond that of an app.
public enum ClientRole: String, Hashable, Sendable, CaseIterable {
  /// This connection is an assistive technology.
  case reader
}

/// The voice of a reader, as its hello tells it.
public struct ReaderVoice: Hashable, Sendable {
  /// The rank from 0 to 100; the reader with the highest rank speaks.
  ///
  /// With 0 it never does, as a braille display.
  public var rank: Int
  /// Whether the reader promises to report every end of speech, so that its reports alone are
  /// believed.
  public var reports: Bool

  /// A voice of this rank; 50 is the rank of a reader that names none.
  public init(rank: Int = 50, reports: Bool = false) {
    self.rank = rank
    self.reports = reports
  }
}

/// The hello of a connection.
package struct Introduction: Hashable, Sendable {
  package var app: String?
  /// The program and its version, for readers of the log.
  package var client: String?
  package var role: ClientRole?
  package var voice: ReaderVoice?
  /// Whether replies bring advice.
  package var advice: Bool

  package init(
    app: String? = nil,
    client: String? = nil,
    role: ClientRole? = nil,
    voice: ReaderVoice? = nil,
    advice: Bool = AdviceSetting.isWanted
  ) {
    self.app = app
    self.client = client
    self.role = role
    self.voice = voice
    self.advice = advice
  }

  /// Whether it names an app or a part.
  var isNamed: Bool { app != nil || role != nil }

  package var fields: [JSONValue.Member] {
    var fields: [JSONValue.Member] = []
    if let app { fields.append(.init("app", .string(app))) }
    if let client { fields.append(.init("client", .string(client))) }
    if let role { fields.append(.init("role", .string(role.rawValue))) }
    if let voice {
      fields.append(.init("speech", .integer(Int64(voice.rank))))
      if voice.reports { fields.append(.init("reports", true)) }
    }
    fields.append(.init("want", [1]))
    if advice { fields.append(.init("advice", true)) }
    return fields
  }
}

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
