// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11ySpeech
import A11yToml

/// The settings of voice and bus that a client of AT Driver may ask for and change.
///
/// They are those of `a11yctl voice`, by the same names, and are changed by that command. Whether
/// passwords are spoken is none of them: it is a matter of the person alone.
struct DriverSettings {
  /// The bus that they are for.
  let path: String

  static let names = VoiceSettings.keys.filter { $0 != "passwords" } + ["hints", "states"]

  func value(of name: String) -> JSONValue? {
    guard Self.names.contains(name) else { return nil }
    let settings =
      LoadedCompanionSettings<VoiceSettings>(name: VoiceSettings.fileName, option: nil).settings
    let manner = settings.manner(for: nil)
    return switch name {
    case "synthesizer": manner.synthesizer.map { .string($0) } ?? .null
    case "language": manner.language.map { .string($0) } ?? .null
    case "voice": manner.voice.map { .string($0) } ?? .null
    case "rate": .integer(Int64(manner.rate ?? 0))
    case "pitch": .integer(Int64(manner.pitch ?? 0))
    case "volume": .integer(Int64(manner.volume ?? 100))
    case "punctuation": .string((manner.punctuation ?? .some).rawValue)
    case "sounds": .flag(settings.sounds)
    default: .flag((try? ask(path, "rules"))?["reader"]?[name]?.flag ?? true)
    }
  }

  func change(_ name: String, to value: JSONValue) throws(DriverRefusal) {
    guard Self.names.contains(name) else {
      let known = Self.names.joined(separator: ", ")
      throw DriverRefusal(.invalidArgument, "There is no setting \(name). There are \(known).")
    }
    let word: String
    switch value {
    case .string(let text): word = text
    case .number(let text): word = text
    case .flag(let flag): word = flag ? "on" : "off"
    case .null: word = "default"
    case .list, .object:
      throw DriverRefusal(.invalidArgument, "\(name) expects a text, a number, true or false.")
    }
    do throws(Failure) {
      let silent = Output(to: { _ in .written })
      try VoiceCommand(["--socket", path, name, word]).run(silent)
    } catch {
      throw DriverRefusal(.invalidArgument, error.words ?? "\(name) cannot be changed.")
    }
  }
}
