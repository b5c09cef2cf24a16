// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yRules
public import A11yWire

// The assumptions about a reader in an entry `rules`; of the rest only what is unusual is said.
extension ReaderPace {
  public func write(into out: inout ByteBuffer) {
    out.append(member: "reader")
    out.append("{")
    out.append(member: "ms_per_char", perCharacter.wholeMilliseconds)
    out.append(member: "grace_ms", grace.wholeMilliseconds)
    if language != ReaderPace().language { out.append(member: "language", language.rawValue) }
    if !speaksHints { out.append(member: "hints", false) }
    if !speaksStates { out.append(member: "states", false) }
    out.append("}")
  }

  /// Takes over what an entry `rules` says of the reader.
  public mutating func take(_ event: borrowing WireEvent) {
    guard let reader = event.member(.reader) else { return }
    let entry = event.line
    self = ReaderPace()
    if let time = entry.integer("ms_per_char", of: reader).flatMap(Self.time) {
      perCharacter = time
    }
    if let time = entry.integer("grace_ms", of: reader).flatMap(Self.time) { grace = time }
    if let tag = entry.string("language", of: reader), let known = WordLanguage(rawValue: tag) {
      language = known
    }
    speaksHints = entry.member("hints", of: reader).map { entry.kind($0) == .yes } ?? true
    speaksStates = entry.member("states", of: reader).map { entry.kind($0) == .yes } ?? true
  }

  /// Nil for a time that no setting can be.
  private static func time(_ milliseconds: Int64) -> TimeSpan? {
    0...Times.longest.wholeMilliseconds ~= milliseconds ? .milliseconds(milliseconds) : nil
  }
}
