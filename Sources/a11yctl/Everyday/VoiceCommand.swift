// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yRules
import A11ySpeech
import A11yToml
import A11yWire

/// Tells and changes the voice, and lets it be heard.
struct VoiceCommand: Command {
  static let name = "voice"
  static let summary = "tell or change how the voice speaks, and hear it"
  static let usage = "[OPTION]... [list [LANGUAGE] | try [TEXT] | SETTING VALUE]"
  static let notes = """
    Without a word behind it, tells how a11y-speech speaks. list tells the synthesizers and voices,
    or those of a language. try speaks a sample. SETTING is one of synthesizer, language, voice,
    rate, pitch, volume, punctuation, sounds and passwords, and VALUE its new value, or default to
    take it out: a11yctl voice rate 20. hints and states, on or off, are words that the bus says of
    an element. A change holds from the next text on; a text that is being spoken ends as it began.
    A synthesizer, language or voice that speech-dispatcher does not have is refused. The settings
    stand in speech.toml and a11yd.toml in $XDG_CONFIG_HOME/a11yd, which may be written by hand as
    well.
    """

  @Operands private var words: [String]
  @Option("app", "NAME", "change the voice for this app alone") private var app: String?
  private let bus = BusSocket()

  /// The words that the bus says of an element, beside its label, value and role.
  private static let busKeys = ["hints", "states"]

  private static let sample = "This is how the voice sounds: 1 message from Ada, sent at 9:30."
  /// A sample that is not heard by then is not heard at all.
  private static let samplePatience: Duration = .seconds(40)

  func run(_ output: Output) throws(Failure) {
    if let app, !(1...128).contains(app.utf8.count) {
      throw Failure(.usage, "--app expects the name of an app, of 1 to 128 bytes.")
    }
    switch words.first {
    case nil: tell(output)
    case "list": try list(words.dropFirst().first, output)
    case "try":
      let text = words.dropFirst().joined(separator: " ")
      try speak(text.isEmpty ? Self.sample : text, output)
    case let key? where Self.busKeys.contains(key):
      guard words.count == 2, let isOn = Self.flag(words[1]), app == nil else {
        throw Failure(
          .usage,
          "\(key) expects on or off, for all apps. Try: a11yctl voice \(key) off"
        )
      }
      try changeBus(key, isOn, output)
    case let key?:
      guard VoiceSettings.keys.contains(key) else {
        let known = ["list", "try"] + VoiceSettings.keys + Self.busKeys
        let near = NearbyNames.question(NearbyNames.to(key, among: known))
        throw Failure(
          .usage,
          "There is no setting \(key)\(near) The settings are \(known.joined(separator: ", "))."
        )
      }
      guard words.count == 2 else {
        throw Failure(.usage, "\(key) expects one value, or default. Try: a11yctl voice \(key) …")
      }
      try change(key, words[1], output)
    }
  }

  private static func flag(_ word: String) -> Bool? {
    ["on": true, "off": false, "true": true, "false": false, "default": true][word]
  }

  // MARK: Telling

  private func tell(_ output: Output) {
    let loaded = Self.loaded()
    for complaint in loaded.complaints { output.complain("\(complaint)") }
    output.lines(VoiceWords.sentences(loaded.settings, app: app))
    output.line(
      loaded.file.map { "These settings stand in \(VisibleText.of($0))." }
        ?? "These are the defaults; no file of settings is there."
    )
  }

  private static func loaded() -> LoadedCompanionSettings<VoiceSettings> {
    LoadedCompanionSettings(name: VoiceSettings.fileName, option: nil)
  }

  private func list(_ language: String?, _ output: Output) throws(Failure) {
    guard let path = SpeechAddress.standard?.path, let server = SpeechInquiry(path: path) else {
      throw Failure(
        .unreachable,
        "No speech-dispatcher answers. systemctl --user start a11y-speech starts one."
      )
    }
    let chosen = Self.loaded().settings.manner(for: app).synthesizer
    guard let synthesizers = server.synthesizers, let all = server.voices(of: chosen) else {
      let whose = chosen ?? "the synthesizer"
      throw Failure(.unreachable, "speech-dispatcher does not tell the voices of \(whose).")
    }
    output.line("Synthesizers: \(synthesizers.joined(separator: ", ")).")
    let voices = all.filter { voice in
      language.map { voice.language.lowercased().hasPrefix($0.lowercased()) } ?? true
    }
    // A voice with a plus sign is a variant of the one before the sign.
    for voice in voices where !voice.name.contains("+") {
      output.line("\(VisibleText.of(voice.name)), \(WordLanguage.name(of: voice.language)).")
    }
    if let variant = voices.first(where: { $0.name.contains("+") }) {
      output.line("There are variants of each, as in \(VisibleText.of(variant.name)).")
    }
    if voices.isEmpty { output.line("There is no voice for \(language ?? "any language").") }
  }

  // MARK: Changing

  private func change(_ key: String, _ value: String, _ output: Output) throws(Failure) {
    let table = app.map { "app.\(TomlEdit.quoted($0))" } ?? "voice"
    let written = value == "default" ? nil : Self.written(value, of: key)
    let doubt = written == nil ? nil : try doubt(key, value)
    let file = try SettingsText(name: VoiceSettings.fileName, replaces: true)
    try file.set(key, to: written, in: table) { text, path in
      LoadedCompanionSettings<VoiceSettings>(text: text, fileName: path).complaints
    }
    let place = app.map { " for \(VisibleText.of($0))" } ?? ""
    let now = written == nil ? "the default again" : "\(VisibleText.of(value)) now"
    output.line("The \(key)\(place) is \(now).")
    if let doubt { output.line(VisibleText.of(doubt)) }
    output.line(
      Self.reload()
        ? "The voice has been told, and goes by it from the next text on."
        : "No voice runs now: it takes this over when it starts."
    )
  }

  private func changeBus(_ key: String, _ isOn: Bool, _ output: Output) throws(Failure) {
    let socket = try bus(for: .operation(.reload))
    try SettingsText(name: "a11yd", replaces: false).set(key, to: "\(isOn)", in: "reader")
    if let mistakes = try Reloading(path: socket).mistakes() {
      throw Failure(
        .configuration,
        "It is written, but the bus goes on as before: \(mistakes.sentence)"
      )
    }
    let inForce = try ask(socket, "rules")["reader"]?[key]?.flag ?? true
    guard inForce == isOn else {
      throw Failure(
        .configuration,
        "It is written into a11yd.toml, but this bus reads its configuration elsewhere."
      )
    }
    output.line("The bus says \(key) \(isOn ? "from now on" : "no more").")
  }

  /// A value as the file has it: a number, true or false as they are, a word in quotation marks.
  private static func written(_ value: String, of key: String) -> String {
    switch key {
    case "rate", "pitch", "volume": Int(value).map(String.init) ?? TomlEdit.quoted(value)
    case "sounds", "passwords": flag(value).map { "\($0)" } ?? TomlEdit.quoted(value)
    default: TomlEdit.quoted(value)
    }
  }

  /// Refuses a name that speech-dispatcher does not have; where it cannot be asked, a sentence says
  /// so.
  private func doubt(_ key: String, _ value: String) throws(Failure) -> String? {
    guard VoiceNames.keys.contains(key) else { return nil }
    let lead = "Whether there is such a \(key) could not be checked:"
    guard let path = SpeechAddress.standard?.path, let server = SpeechInquiry(path: path) else {
      return "\(lead) no speech-dispatcher answers."
    }
    let synthesizer = Self.loaded().settings.manner(for: app).synthesizer
    guard let names = VoiceNames(of: key, at: server, synthesizer: synthesizer) else {
      return "\(lead) \(synthesizer ?? "the synthesizer") does not tell its names."
    }
    guard names.has(value) else { throw Failure(.usage, names.refusal(of: value)) }
    return nil
  }

  /// Has every voice of this user that goes by these settings read them again; false where there is
  /// none.
  private static func reload() -> Bool {
    let variables = ["XDG_CONFIG_HOME", "HOME"]
    let voices = Processes.named("a11y-speech").filter { voice in
      variables.allSatisfy {
        Processes.variable($0, of: voice) == Environment.value($0)
      }
    }
    for voice in voices { try? Signals.hangUp(voice) }
    return !voices.isEmpty
  }

  // MARK: Hearing

  /// Refuses where nobody is there to speak.
  private func refuseSilence(_ socket: String) throws(Failure) {
    guard let reader = try? ask(socket, "state")["reader"], reader["running"]?.flag != true else {
      return
    }
    throw Failure(.unreachable, "No voice can speak now. a11yctl doctor tells the reason.")
  }

  private func speak(_ text: String, _ output: Output) throws(Failure) {
    let socket = try bus(for: .publishing(.announcement))
    try refuseSilence(socket)
    let outcome = try asking { () throws(ClientError) in
      let bus = try BusConnection(path: socket)
      try bus.hello(app: app ?? "a11yctl")
      try bus.subscribe(SubscriptionRequest(filter: EntryFilter(types: ["outcome"])))
      let seq = try bus.publish(.announcement(text, priority: .high)).seq
      while let item = try bus.next(timeout: Self.samplePatience) {
        guard case .entry(let entry) = item, let outcome = entry.outcome, outcome.of == seq else {
          continue
        }
        return outcome
      }
      throw ClientError.timedOut(after: Self.samplePatience)
    }
    output.line(
      outcome.isHeard
        ? "It was spoken." : "It was not spoken. a11yctl why \(outcome.of) tells the reason."
    )
  }
}

/// The settings of the voice in sentences.
enum VoiceWords {
  /// The settings for an app, or for all.
  static func sentences(_ settings: VoiceSettings, app: String?) -> [String] {
    let manner = settings.manner(for: app)
    var sentences = app.map { ["For \(VisibleText.of($0)):"] } ?? []
    sentences += [
      "Synthesizer: \(manner.synthesizer.map { VisibleText.of($0) } ?? "the usual one").",
      "Language: \(manner.language.map { WordLanguage.name(of: $0) } ?? "the usual one").",
      "Voice: \(manner.voice.map { VisibleText.of($0) } ?? "the usual one").",
      "Rate: \(manner.rate ?? 0), of -100 to 100.",
      "Pitch: \(manner.pitch ?? 0), of -100 to 100.",
      "Volume: \(manner.volume ?? 100), of -100 to 100.",
      "Punctuation: \((manner.punctuation ?? .some).rawValue).",
    ]
    if manner.synthesizer?.hasPrefix("espeak") ?? true {
      sentences.append("eSpeak says the written text where an app gives a pronunciation.")
    }
    guard app == nil else { return sentences }
    sentences.append(settings.sounds ? "Sounds are on." : "Sounds are off.")
    sentences.append(
      settings.speaksPasswords
        ? "Passwords are spoken as they are." : "Passwords are spoken as bullets."
    )
    for app in settings.apps.keys.sorted() {
      sentences.append(
        "\(VisibleText.of(app)) has a voice of its own: a11yctl voice --app \(VisibleText.of(app))."
      )
    }
    return sentences
  }
}
