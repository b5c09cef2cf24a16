// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11ySpeech
import A11yToml

/// The names that speech-dispatcher and its synthesizers know.
///
/// speech-dispatcher takes any name for a synthesizer, a voice or a language, and then speaks as it
/// did before, so that a name is looked up before it is written down.
struct VoiceNames {
  /// The settings whose values are names.
  static let keys = ["synthesizer", "voice", "language"]

  /// The owner of the names, as the subject of a sentence.
  let owner: String
  let names: [String]
  private let key: String

  init(of key: String, from owner: String, _ names: [String]) {
    self.key = key
    self.owner = owner
    self.names = names
  }

  /// The names for a setting, of the speech-dispatcher that answers; nil where they cannot be had.
  init?(of key: String, at server: SpeechInquiry, synthesizer: String?) {
    if key == "synthesizer" {
      guard let names = server.synthesizers else { return nil }
      self.init(of: key, from: "speech-dispatcher", names)
    } else {
      guard let voices = server.voices(of: synthesizer) else { return nil }
      let owner = synthesizer ?? "The synthesizer"
      self.init(of: key, from: owner, voices.map { key == "voice" ? $0.name : $0.language })
    }
  }

  /// Whether a name is known.
  ///
  /// A language is known by a longer or a shorter name of it, too: de is spoken for de-AT.
  func has(_ name: String) -> Bool {
    guard key == "language" else { return names.contains(name) }
    let wanted = Self.language(name)
    return names.contains { Self.language($0) == wanted }
  }

  private static func language(_ name: String) -> String {
    name.lowercased().prefix { $0 != "-" && $0 != "_" }.description
  }

  /// The sentence against a name that is not known.
  func refusal(of name: String) -> String {
    // Each voice has a hundred variants, with a plus sign; a name without one means none of them.
    let plain = name.contains("+") ? names : names.filter { !$0.contains("+") }
    let near = NearbyNames.question(NearbyNames.to(name, among: plain))
    let few = Set(plain).count <= Self.most
    let list = few ? " It has \(Sentences.listed(Set(plain).sorted()))." : Self.advice
    return "\(owner) has no \(key) \(name)\(near)\(list)"
  }

  /// A longer list is not one sentence.
  private static let most = 8
  private static let advice = " a11yctl voice list tells all."
}

/// A short conversation with speech-dispatcher, for questions about its synthesizers and voices.
final class SpeechInquiry {
  /// A voice of a synthesizer.
  struct Voice: Equatable {
    let name: String
    let language: String
  }

  private let socket: FileDescriptor
  private var reader = SsipReader()
  private var messages: [SsipMessage] = []

  /// The longest wait for a whole answer; eSpeak's 13,000 voices take a third of a second.
  private static let patience = Duration.seconds(5)

  /// Connects to the speech-dispatcher of the session; nil where there is none.
  init?(path: String) {
    guard let socket = try? UnixStream.connectAtOnce(path: path) else { return nil }
    self.socket = socket
    guard exchange("SET SELF CLIENT_NAME user:a11yctl:questions") != nil else { return nil }
  }

  /// The names of the synthesizers; nil where they cannot be had.
  var synthesizers: [String]? { exchange("LIST OUTPUT_MODULES")?.details }

  /// The voices of a synthesizer; nil where they cannot be had.
  func voices(of synthesizer: String?) -> [Voice]? {
    if let synthesizer {
      // Any name is taken, and another synthesizer then answers in its place.
      guard synthesizers?.contains(synthesizer) == true else { return nil }
      _ = exchange("SET SELF OUTPUT_MODULE \(synthesizer)")
    }
    guard let answer = exchange("LIST SYNTHESIS_VOICES"), answer.isSuccess else { return nil }
    return answer.details.compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard parts.count >= 2 else { return nil }
      return Voice(name: String(parts[0]), language: String(parts[1]))
    }
  }

  private func exchange(_ command: String) -> SsipMessage? {
    let line = Array("\(command)\r\n".utf8)
    guard socket.send(line.span) == .sent(line.count) else { return nil }
    let deadline = Deadline(after: Self.patience)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while messages.isEmpty {
      guard !deadline.hasPassed,
        let ready = try? socket.waitReady(
          for: .readable,
          timeoutMilliseconds: deadline.remaining
        ),
        !ready.isEmpty,
        case .bytes(let count) = bytes.withUnsafeMutableBytes({ socket.receive(into: $0) }),
        let read = reader.messages(in: bytes.prefix(count))
      else { return nil }
      messages += read
    }
    return messages.removeFirst()
  }
}

/// A file of a person's own settings, of which a command changes one line.
struct SettingsText {
  let path: String
  /// The file that counts as long as the user has none, if the user's stands in its place.
  private let base: String?

  /// The user's file of this name; `replaces` says whether it stands in the place of the machine's
  /// file, and not over it.
  init(name: String, replaces: Bool) throws(Failure) {
    guard let path = CompanionFiles.userFile(name: name) else {
      throw Failure(.configuration, "There is no home directory for \(name).toml.")
    }
    // A link leads to the file that its owner keeps elsewhere.
    self.path = File.resolved(path) ?? path
    base = replaces ? CompanionFiles.machineFile(name: name) : nil
  }

  /// Sets a key in a table, or takes it out; all other lines of the file stay as they are.
  ///
  /// Nothing is changed where the new text has a mistake that the old one does not have.
  func set(
    _ key: String,
    to value: String?,
    in table: String,
    complaints: (_ text: String, _ path: String) -> [Complaint] = { _, _ in [] }
  ) throws(Failure) {
    let old = try content()
    var edit = TomlEdit(old)
    edit.set(key, to: value, in: table)
    let known = Set(complaints(old, path).map(\.words))
    if let complaint = complaints(edit.text, path).first(where: { !known.contains($0.words) }) {
      let isGrammar = complaint.words.hasPrefix("this is not TOML")
      // The rest is as it was, so the mistake is in the value.
      throw Failure(
        isGrammar ? .configuration : .usage,
        isGrammar
          ? "Nothing was changed: \(path) is written in a way that this command cannot edit."
            + " By hand: \(key) = \(value ?? "…") in the table [\(table)]."
          : "Nothing was changed: \(complaint.words)."
      )
    }
    try save(edit.text)
  }

  private func content() throws(Failure) -> String {
    do throws(File.Unreadable) {
      return String(decoding: try File.read(path, limit: TomlText.largest), as: UTF8.self)
    } catch .refused(.noSuchFile) {
      guard let base, let bytes = try? File.read(base, limit: TomlText.largest) else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw Failure(.configuration, "\(path) \(error).")
    }
  }

  private func save(_ text: String) throws(Failure) {
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    do throws(Errno) {
      try Directory.create(directory, mode: 0o700)
      try PrivateFile.replace(path, with: text)
    } catch {
      throw Failure(.inputOutput, "\(path) cannot be written: \(error).")
    }
  }
}
