// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// The entry of type `rules`.
extension RuleSet {
  /// Bytes of the entry around its event: seq, times, origin and checksum, with room to spare.
  private static let frameBytes = 1_024

  /// Whether these rules fit into an entry.
  public static func fits(_ rules: [Rule]) -> Bool {
    var out = ByteBuffer(capacity: 16_384)
    writeMembers(rules, into: &out)
    return out.count <= Limits.answerBytes - frameBytes
  }

  /// Appends the members of the entry's event.
  public func writeEntry(into out: inout ByteBuffer) { Self.writeMembers(rules, into: &out) }

  /// Reads the event of an entry; nil where it has no rules, or none that can be.
  public init?(entry line: JSONDocument, _ event: JSONIndex) {
    guard let content = line.member("content", of: event) else { return nil }
    self.init(line, content)
  }

  private static func writeMembers(_ rules: [Rule], into out: inout ByteBuffer) {
    out.append(member: "hash", hash(of: rules))
    out.append(member: "files", files(of: rules))
    out.append(member: "content")
    writeRules(rules, into: &out)
  }

  /// The files that rules come from, in order.
  public var files: [String] { Self.files(of: rules) }

  private static func files(of rules: [Rule]) -> [String] {
    var files: [String] = []
    for rule in rules {
      guard let file = rule.place?.file, !files.contains(file) else { continue }
      files.append(file)
    }
    return files
  }

  /// The hash of the content, in hex.
  public var hash: String { Self.hash(of: rules) }

  private static func hash(of rules: [Rule]) -> String {
    var out = ByteBuffer(capacity: 16_384)
    writeRules(rules, into: &out)
    return ContentHash.of(out.bytes)
  }
}
