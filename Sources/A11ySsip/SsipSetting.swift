// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What SET sets.
package enum SsipSetting: Equatable, Sendable {
  case priority(SsipPriority)
  case language(String)
  case synthesisVoice(String)
  case clientName(SsipClientName)
  case number(Scale, Int)
  case voiceType(VoiceType)
  case punctuation(Punctuation)
  case outputModule(String)
  case capitals(Capitals)
  case pauseContext(Int)
  case spelling(Bool)
  case ssml(Bool)
  case notification(Set<SsipNotification>, isOn: Bool)

  /// The word by which a client names it.
  enum Name: String {
    case priority, language, rate, pitch, volume, punctuation, spelling, debug, notification
    case synthesisVoice = "synthesis_voice"
    case clientName = "client_name"
    case pitchRange = "pitch_range"
    case voiceType = "voice_type"
    case outputModule = "output_module"
    case capitals = "cap_let_recogn"
    case pauseContext = "pause_context"
    case ssml = "ssml_mode"

    var isAllowedInBlocks: Bool {
      switch self {
      case .priority, .clientName, .outputModule, .spelling: false
      default: true
      }
    }
  }

  /// What goes from -100 to 100.
  package enum Scale: Sendable {
    case rate, pitch, pitchRange, volume
  }

  package enum VoiceType: String, Sendable, CaseIterable {
    case male1, male2, male3, female1, female2, female3
    case childMale = "child_male"
    case childFemale = "child_female"
  }

  package enum Punctuation: String, Sendable {
    case all, most, some, none
  }

  package enum Capitals: String, Sendable {
    case none, spell, icon
  }

  init(_ name: Name, of scope: SsipScope, _ words: inout SsipWords) throws(SsipReply) {
    switch name {
    case .priority:
      if scope != .own { throw .cannotSetPriority }
      guard let priority = SsipPriority(rawValue: try words.next()) else {
        throw .unknownPriority
      }
      self = .priority(priority)
    case .language: self = .language(try words.next())
    case .synthesisVoice: self = .synthesisVoice(words.rest())
    case .clientName:
      if scope != .own { throw .invalid }
      guard let name = SsipClientName(try words.next()) else { throw .cannotSetClientName }
      self = .clientName(name)
    case .rate: self = .number(.rate, try words.number(upTo: .rateHigh, from: .rateLow))
    case .pitch: self = .number(.pitch, try words.number(upTo: .pitchHigh, from: .pitchLow))
    case .pitchRange:
      self = .number(.pitchRange, try words.number(upTo: .pitchRangeHigh, from: .pitchRangeLow))
    case .volume: self = .number(.volume, try words.number(upTo: .volumeHigh, from: .volumeLow))
    case .voiceType:
      guard let type = VoiceType(rawValue: try words.next()) else { throw .cannotSetVoice }
      self = .voiceType(type)
    case .punctuation:
      guard let mode = Punctuation(rawValue: try words.next()) else { throw .invalid }
      self = .punctuation(mode)
    case .outputModule: self = .outputModule(try words.next())
    case .capitals:
      guard let mode = Capitals(rawValue: try words.next()) else { throw .invalid }
      self = .capitals(mode)
    case .pauseContext: self = .pauseContext(try words.number())
    case .spelling: self = .spelling(try words.flag(else: .notOnOff))
    case .ssml: self = .ssml(try words.flag(else: .notOnOff))
    case .debug:
      _ = try words.flag(else: .notOnOff)
      throw .cannotSetDebugging
    case .notification: self = try Self.notification(of: scope, &words)
    }
  }

  private static func notification(
    of scope: SsipScope,
    _ words: inout SsipWords
  ) throws(SsipReply) -> SsipSetting {
    if scope != .own { throw .invalid }
    let kind = try words.next()
    let isOn = try words.flag(else: .invalid)
    if kind == "all" { return .notification(Set(SsipNotification.allCases), isOn: isOn) }
    guard let kind = SsipNotification(rawValue: kind) else { throw .cannotSetNotification }
    return .notification([kind], isOn: isOn)
  }

  /// The answer to it, where it is done, and where the connection that it is for is not there.
  var replies: (done: SsipReply, strange: SsipReply) {
    switch self {
    case .priority: (.prioritySet, .cannotSetPriority)
    case .language: (.languageSet, .cannotSetLanguage)
    case .synthesisVoice, .voiceType: (.voiceSet, .cannotSetVoice)
    case .clientName: (.clientNameSet, .cannotSetClientName)
    case .number(.rate, _): (.rateSet, .cannotSetRate)
    case .number(.pitch, _): (.pitchSet, .cannotSetPitch)
    case .number(.pitchRange, _): (.pitchRangeSet, .cannotSetPitchRange)
    case .number(.volume, _): (.volumeSet, .cannotSetVolume)
    case .punctuation: (.punctuationSet, .cannotSetPunctuation)
    case .outputModule: (.outputModuleSet, .cannotSetOutputModule)
    case .capitals: (.capitalsSet, .cannotSetCapitals)
    case .pauseContext: (.pauseContextSet, .cannotSetPauseContext)
    case .spelling: (.spellingSet, .cannotSetSpelling)
    case .ssml: (.ssmlModeSet, .cannotSetSsmlMode)
    case .notification: (.notificationSet, .cannotSetNotification)
    }
  }
}

extension SsipWords {
  fileprivate mutating func number(
    upTo high: SsipReply,
    from low: SsipReply
  ) throws(SsipReply) -> Int {
    let number = try number()
    if number < -100 { throw low }
    if number > 100 { throw high }
    return number
  }
}

/// How urgent a message is, in the words of SSIP.
package enum SsipPriority: String, Sendable {
  case important, message, text, notification, progress
}

/// What a client wants to be told of its messages.
package enum SsipNotification: String, Sendable, CaseIterable {
  case begin, end, cancel, pause, resume
  case marks = "index_marks"
}

/// The name of a client: user, program and connection.
package struct SsipClientName: Equatable, Sendable {
  /// The whole name, as the client writes it.
  package let whole: String
  /// The program, by which the bus knows it.
  package let program: String
  /// One of the connections of that program.
  package let connection: String

  /// Reads a name as clients write it; there are some that put it in quotes.
  package init?(_ word: String) {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    whole = word
    program = String(parts[1])
    connection = String(parts[2].filter { $0 != "\"" })
  }
}

/// The settings of a connection, as its next message is spoken; nil is what the server has.
package struct SsipVoice: Equatable, Sendable {
  package var language: String?
  package var synthesisVoice: String?
  package var voiceType: SsipSetting.VoiceType?
  package var outputModule: String?
  package var rate: Int?
  package var pitch: Int?
  package var pitchRange: Int?
  package var volume: Int?
  package var punctuation: SsipSetting.Punctuation?
  package var capitals: SsipSetting.Capitals?
  package var spelling = false
  package var ssml = false

  package init() {}

  /// Takes a setting over; false for one that is not about the voice.
  mutating func take(_ setting: SsipSetting) -> Bool {
    switch setting {
    case .language(let language): self.language = language
    case .synthesisVoice(let name): (synthesisVoice, voiceType) = (name, nil)
    case .voiceType(let type): (voiceType, synthesisVoice) = (type, nil)
    // A voice is one of a module.
    case .outputModule(let name): (outputModule, synthesisVoice) = (name, nil)
    case .number(.rate, let rate): self.rate = rate
    case .number(.pitch, let pitch): self.pitch = pitch
    case .number(.pitchRange, let range): pitchRange = range
    case .number(.volume, let volume): self.volume = volume
    case .punctuation(let mode): punctuation = mode
    case .capitals(let mode): capitals = mode
    case .spelling(let isOn): spelling = isOn
    case .ssml(let isOn): ssml = isOn
    case .priority, .clientName, .notification, .pauseContext: return false
    }
    return true
  }

  /// What GET tells of them; nil where the client has set nothing.
  func value(of question: SsipQuestion) -> String? {
    switch question {
    case .voiceType: synthesisVoice == nil ? voiceType?.rawValue.uppercased() : "NO_VOICE"
    case .outputModule: outputModule
    case .language: language
    case .rate: rate.map(String.init)
    case .pitch: pitch.map(String.init)
    case .volume: volume.map(String.init)
    case .punctuation: punctuation?.rawValue
    }
  }

  /// The commands that lead a connection from other settings to these.
  func commands(after other: SsipVoice?) -> [String] {
    var commands: [String] = []
    func set(_ name: String, _ value: String?, _ old: String?) {
      guard let value, value != old else { return }
      commands.append("\(name) \(value)")
    }
    set("OUTPUT_MODULE", outputModule, other?.outputModule)
    set("LANGUAGE", language, other?.language)
    // A module begins with a voice of its own.
    let isFresh = outputModule != other?.outputModule
    set("VOICE_TYPE", voiceType?.rawValue, isFresh ? nil : other?.voiceType?.rawValue)
    set("SYNTHESIS_VOICE", synthesisVoice, isFresh ? nil : other?.synthesisVoice)
    set("RATE", rate.map(String.init), other?.rate.map(String.init))
    set("PITCH", pitch.map(String.init), other?.pitch.map(String.init))
    set("PITCH_RANGE", pitchRange.map(String.init), other?.pitchRange.map(String.init))
    set("VOLUME", volume.map(String.init), other?.volume.map(String.init))
    set("PUNCTUATION", punctuation?.rawValue, other?.punctuation?.rawValue)
    set("CAP_LET_RECOGN", capitals?.rawValue, other?.capitals?.rawValue)
    set("SPELLING", spelling ? "on" : "off", other?.spelling == true ? "on" : "off")
    set("SSML_MODE", ssml ? "on" : "off", other?.ssml == true ? "on" : "off")
    return commands
  }
}
