// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11ySsip

/// What becomes of a client's messages at the bus, and what the client hears of it.
@Suite struct MessageTests {
  private var trial = DoorTrial()

  /// Says a text, and returns its event.
  private mutating func speak(
    _ text: String = "Tea is ready",
    from id: Int
  ) throws -> (ticket: Int64?, event: JSON) {
    trial.say("SPEAK", text, ".", from: id)
    return try #require(trial.published().last)
  }

  @Test mutating func `the number comes first, then the beginning, then the only end`() throws {
    let id = trial.visit("tea")
    let (ticket, event) = try speak(from: id)
    #expect(event["text"].string == "Tea is ready")
    #expect(event["origin"].string == "ssip")
    #expect(
      trial.heard(by: id).suffix(3) == [
        "230 OK RECEIVING DATA", "225-1", "225 OK MESSAGE QUEUED",
      ]
    )

    let seq = trial.record(ticket, of: id)
    let delivery = try trial.deliver(seq)
    try trial.report(#""state":"started""#, of: delivery, by: 8)
    #expect(trial.heard(by: id) == [])
    try trial.report(#""state":"started""#, of: delivery)
    #expect(trial.heard(by: id) == ["701-1", "701-\(id)", "701 BEGIN"])
    try trial.report(#""state":"finished""#, of: delivery)
    try trial.conclude(seq, "heard")
    #expect(trial.heard(by: id) == ["702-1", "702-\(id)", "702 END"])
    try trial.conclude(seq, "heard")
    #expect(trial.heard(by: id) == [])
  }

  @Test mutating func `news that comes before the record is not lost`() throws {
    let id = trial.visit("tea")
    let (ticket, _) = try speak(from: id)
    _ = trial.heard(by: id)

    // The next entry of the trial is the record's own, which comes last here.
    let delivery = try trial.deliver(1_002)
    try trial.report(#""state":"started""#, of: delivery)
    #expect(trial.heard(by: id) == [])
    trial.door.recorded(ticket ?? 0, as: 1_002, of: id, at: trial.now)
    #expect(trial.heard(by: id) == ["701-1", "701-\(id)", "701 BEGIN"])
  }

  @Test(arguments: [
    "interrupted", "coalesced", "duplicate", "superseded", "inhibited", "summarised", "expired",
    "denied", "cancelled",
  ])
  mutating func `a message that is not heard ends as cancelled`(result: String) throws {
    let id = trial.visit("tea")
    let seq = trial.record(try speak(from: id).ticket, of: id)
    _ = trial.heard(by: id)
    try trial.conclude(seq, result)
    #expect(trial.heard(by: id) == ["703-1", "703-\(id)", "703 CANCELED"])
  }

  @Test mutating func `only events that are wanted are told`() throws {
    let id = trial.visit("tea", "NOTIFICATION BEGIN OFF")
    let seq = trial.record(try speak(from: id).ticket, of: id)
    _ = trial.heard(by: id)
    try trial.conclude(seq, "heard")
    #expect(trial.heard(by: id) == ["702-1", "702-\(id)", "702 END"])
  }

  @Test mutating func `blanks begin and end at once, and nothing at all has no number`() {
    let id = trial.visit("tea")
    _ = trial.heard(by: id)
    trial.say("SPEAK", " ", ".", "SPEAK", ".", from: id)
    #expect(trial.published().isEmpty)
    #expect(
      trial.heard(by: id) == [
        "230 OK RECEIVING DATA", "225-1", "225 OK MESSAGE QUEUED", "701-1", "701-\(id)",
        "701 BEGIN",
        "702-1", "702-\(id)", "702 END", "230 OK RECEIVING DATA", "227 OK MESSAGE CANCELED",
      ]
    )
  }

  // MARK: Kinds

  @Test(arguments: [
    ("important", #"{"priority":"high"}"#),
    ("message", #"{"priority":"default","queue":true}"#),
    ("text", #"{"priority":"default","queue":true,"mode":"latest-interrupt","key":"main"}"#),
    ("notification", #"{"priority":"low"}"#),
    ("progress", #"{"class":"progress","key":"main"}"#),
  ])
  mutating func `a priority says how an announcement is treated`(
    priority: String,
    expected: String
  ) throws {
    let id = trial.visit("tea", "PRIORITY \(priority)")
    let (_, event) = try speak(from: id)
    var members = try #require(event.members)
    for name in ["type", "text", "origin"] { members[name] = nil }
    #expect(JSON.object(members) == (try JSON(expected)))
  }

  /// speechd-el tells the name Emacs, and speechd-up the name speakup.
  @Test(arguments: ["orca", "Emacs", "speakup"])
  mutating func `the words of a screen reader are the person's own reading`(name: String) throws {
    let id = trial.visit(name)
    #expect(trial.acts.contains(.join(id, app: name.lowercased(), isReader: true)))
    let (_, event) = try speak(from: id)
    #expect(event["class"].string == "reading")
    #expect(!event["priority"].isThere && !event["sensitive"].isThere)
  }

  @Test mutating func `a name may be in quotes, and one that the bus keeps is not taken`() {
    let id = trial.door.open(at: trial.now) ?? 0
    trial.say("SET SELF CLIENT_NAME \"root:spd-say:main\"", from: id)
    #expect(trial.acts.contains(.join(id, app: "spd-say", isReader: false)))
    trial.say("SET SELF CLIENT_NAME root:a11yd:main", from: id)
    #expect(trial.acts.contains(.join(id, app: "ssip", isReader: false)))
  }

  @Test mutating func `settings become members of runs, as far as the client has set them`()
    throws
  {
    let id = trial.visit(
      "tea",
      "RATE 30",
      "PITCH -100",
      "VOLUME 0",
      "LANGUAGE de-AT",
      "PUNCTUATION all",
      "PITCH_RANGE 0",
      "VOICE_TYPE FEMALE1",
      "CAP_LET_RECOGN icon",
      "SPELLING on"
    )
    let run = try speak("Tee", from: id).event["text"][0]
    #expect(
      run
        == (try JSON(
          #"{"text":"Tee","spell":true,"punctuation":true,"lang":"de-at","pitch":0.5,"#
            + #""pitch_range":1.0,"rate":1.3,"volume":0.5,"voice":"female1","capitals":"icon"}"#
        ))
    )
  }

  @Test(arguments: [
    ("CHAR a", "a", "char"), ("KEY space", " ", "key"), ("SOUND_ICON x", "x", "icon"),
  ])
  mutating func `characters, keys and icons are told as such`(
    line: String,
    text: String,
    kind: String
  ) throws {
    let id = trial.visit("tea")
    trial.say(line, from: id)
    let run = try #require(trial.published().last).event["text"][0]
    #expect(run["text"].string == text && run["as"].string == kind)
  }

  // MARK: Marks

  @Test mutating func `marks come back by their names, those before a heard end too`() throws {
    let id = trial.visit("orca", "SSML_MODE on")
    let (ticket, event) = try speak(
      "<speak><mark name=\"0:3\"/>Tea <mark name=\"4:6\"/>is <mark name='x'/>"
        + "<mark name=\"7:12\"/>ready"
        + "<mark name=\"end\"/></speak>",
      from: id
    )
    #expect(event["text"].list?.map { $0["mark"].string } == ["0:3", "4:6", "7:12"])
    let seq = trial.record(ticket, of: id)
    let delivery = try trial.deliver(seq)
    try trial.report(#""state":"started""#, of: delivery)
    _ = trial.heard(by: id)

    try trial.report(#""state":"progress","heard_ms":100,"mark":"4:6""#, of: delivery)
    #expect(
      trial.heard(by: id).filter { !$0.hasPrefix("700 ") } == [
        "700-1", "700-\(id)", "700-0:3", "700-1", "700-\(id)", "700-4:6",
      ]
    )
    // The bus has it spoken once more behind an alarm: nothing is told twice.
    try trial.report(#""state":"progress","heard_ms":100,"mark":"4:6""#, of: delivery)
    #expect(trial.heard(by: id) == [])
    try trial.conclude(seq, "heard")
    #expect(
      trial.heard(by: id).filter { $0.contains("-") && !$0.hasSuffix("-1") } == [
        "700-x", "700-7:12", "700-end",
      ]
    )
  }

  // MARK: Orders

  @Test mutating func `what is cancelled is withdrawn, and told when the bus has told it`() throws {
    let id = trial.visit("tea", "PRIORITY message")
    let first = trial.record(try speak(from: id).ticket, of: id)
    let waiting = try speak(from: id).ticket
    _ = trial.heard(by: id)
    trial.say("CANCEL SELF", "CANCEL SELF", from: id)
    #expect(trial.published().map { $0.event["of"].integer } == [first])
    #expect(trial.heard(by: id) == ["213 OK CANCELED", "213 OK CANCELED"])

    // The second is on record later, and is withdrawn then.
    let second = trial.record(waiting, of: id)
    #expect(trial.published().map { $0.event["of"].integer } == [second])
    try trial.conclude(first, "cancelled")
    // The voice was faster.
    try trial.conclude(second, "heard")
    #expect(
      trial.heard(by: id).filter { $0.contains(" ") || $0 == "702-2" } == [
        "703 CANCELED", "701 BEGIN", "702-2", "702 END",
      ]
    )
  }

  @Test mutating func `stop ends what is spoken, and what waits goes on`() throws {
    let id = trial.visit("tea", "PRIORITY message")
    let first = trial.record(try speak(from: id).ticket, of: id)
    _ = trial.record(try speak(from: id).ticket, of: id)
    try trial.report(#""state":"started""#, of: try trial.deliver(first))
    _ = trial.heard(by: id)
    trial.say("STOP SELF", from: id)
    #expect(trial.published().map { $0.event["of"].integer } == [first])
    #expect(trial.heard(by: id) == ["210 OK STOPPED"])
    try trial.conclude(first, "cancelled")
    #expect(trial.heard(by: id) == ["703-1", "703-\(id)", "703 CANCELED"])
  }

  @Test mutating func `behind a pause the rest is spoken, from the last mark`() throws {
    let id = trial.visit("tea", "PRIORITY message", "SSML_MODE on")
    let text =
      "<speak><mark name=\"a\"/>One. <mark name=\"b\"/>Two. <mark name=\"c\"/>Three.</speak>"
    let seq = trial.record(try speak(text, from: id).ticket, of: id)
    let delivery = try trial.deliver(seq)
    try trial.report(#""state":"progress","mark":"b""#, of: delivery)
    _ = trial.heard(by: id)

    trial.say("PAUSE SELF", from: id)
    #expect(trial.published().map { $0.event["of"].integer } == [seq])
    #expect(trial.heard(by: id) == ["211 OK PAUSED"])
    try trial.conclude(seq, "cancelled")
    #expect(trial.heard(by: id) == ["704-1", "704-\(id)", "704 PAUSED"])
    trial.say("CHAR a", from: id)
    #expect(trial.published().isEmpty)
    _ = trial.heard(by: id)

    trial.say("RESUME SELF", from: id)
    let events = trial.published()
    #expect(events.count == 2)
    #expect(events.first?.event["text"].list?.map { $0["text"].string } == ["Two. ", "Three. "])
    #expect(trial.heard(by: id) == ["212 OK RESUMED"])
    let again = trial.record(events.first?.ticket, of: id)
    try trial.report(#""state":"started""#, of: try trial.deliver(again))
    #expect(trial.heard(by: id) == ["705-1", "705-\(id)", "705 RESUMED"])
    try trial.conclude(again, "heard")
    #expect(
      trial.heard(by: id).filter { $0.hasPrefix("70") && $0.contains(" ") } == [
        "700 INDEX MARK", "702 END",
      ]
    )
  }

  @Test mutating func `an order may be about another client, or about all`() throws {
    let tea = trial.visit("tea")
    let cake = trial.visit("cake")
    let seq = trial.record(try speak(from: tea).ticket, of: tea)
    _ = trial.heard(by: tea)
    trial.say("CANCEL \(tea)", from: cake)
    #expect(trial.published().map { $0.event["of"].integer } == [seq])
    try trial.conclude(seq, "cancelled")
    #expect(trial.heard(by: tea) == ["703-1", "703-\(tea)", "703 CANCELED"])
    #expect(trial.answers(to: "CANCEL 0", from: cake) == ["406 ERR ID DOESNT EXIST"])
    #expect(trial.answers(to: "CANCEL 99", from: cake) == ["213 OK CANCELED"])
  }

  @Test mutating func `who resumes before the pause has come is heard on all the same`() throws {
    let id = trial.visit("tea", "PRIORITY message")
    let seq = trial.record(try speak(from: id).ticket, of: id)
    try trial.report(#""state":"started""#, of: try trial.deliver(seq))
    _ = trial.heard(by: id)
    trial.say("PAUSE SELF", "RESUME SELF", from: id)
    _ = trial.published()
    try trial.conclude(seq, "cancelled")
    #expect(trial.published().count == 1)
    #expect(
      trial.heard(by: id).filter { $0.contains(" ") } == [
        "211 OK PAUSED", "212 OK RESUMED", "704 PAUSED",
      ]
    )
  }

  // MARK: Long and many

  @Test mutating func `a long text is several announcements with one beginning and one end`() throws
  {
    let id = trial.visit("orca")
    let text = (1...1_500).map { "Sentence \($0)." }.joined(separator: " ")
    var (ticket, event) = try speak(text, from: id)
    _ = trial.heard(by: id)
    var told: [String] = []
    var words = ""
    for _ in 1...6 {
      words += event["text"].string ?? ""
      let seq = trial.record(ticket, of: id)
      try trial.report(#""state":"started""#, of: try trial.deliver(seq))
      try trial.conclude(seq, "heard")
      told += trial.heard(by: id)
      guard let next = trial.published().last else { break }
      (ticket, event) = next
    }
    #expect(words.count == text.count && words == text)
    #expect(told.filter { $0.contains(" ") } == ["701 BEGIN", "702 END"])
  }

  @Test(arguments: [("word ", 1), ("x\r\n", 2)])
  mutating func `a message of more than 1 MiB is refused, and the next is taken`(
    piece: String,
    length: Int
  ) {
    let id = trial.visit("tea")
    _ = trial.heard(by: id)
    trial.say("SPEAK", from: id)
    let piece = String(repeating: piece, count: 1_024)
    for _ in 0..<1_024 * length { trial.door.receive(Array(piece.utf8), from: id, at: trial.now) }
    trial.say("", ".", "CHAR a", from: id)
    #expect(
      trial.heard(by: id) == [
        "230 OK RECEIVING DATA", "300 ERR INTERNAL", "225-1", "225 OK MESSAGE QUEUED",
      ]
    )
  }

  @Test mutating func `of too many messages the oldest gives way`() throws {
    let id = trial.visit("tea", "PRIORITY message")
    for _ in 1...Guest.mostMessages { trial.say("CHAR a", from: id) }
    _ = trial.heard(by: id)
    trial.say("CHAR a", from: id)
    #expect(
      trial.heard(by: id) == [
        "225-257", "225 OK MESSAGE QUEUED", "703-1", "703-\(id)", "703 CANCELED",
      ]
    )
  }

  @Test mutating func `a client that takes nothing is not obeyed until it does`() {
    let id = trial.visit("tea")
    for _ in 1...20_000 { trial.say("HELP", from: id) }
    let lines = trial.heard(by: id)
    #expect(!trial.door.isReading(id))
    #expect(lines.count < 20_000)
    trial.door.sent(Guest.mostOwed * 2, to: id, at: trial.now)
    #expect(!trial.heard(by: id).isEmpty)
  }

  @Test mutating func `what a client has cancelled before it left is taken back all the same`()
    throws
  {
    let id = trial.visit("spd-say")
    let (ticket, _) = try speak(from: id)
    trial.say("CANCEL SELF", "QUIT", from: id)
    let seq = trial.record(ticket, of: id)
    #expect(trial.published().map { $0.event["of"].integer } == [seq])
    try trial.conclude(seq, "cancelled")
    #expect(trial.acts.contains(.leave(id)))
  }

  @Test mutating func `a client that has left is still spoken for, and nobody hears its events`()
    throws
  {
    let id = trial.visit("spd-say")
    let (ticket, _) = try speak(from: id)
    _ = trial.heard(by: id)
    trial.door.close(id, at: trial.now)
    let seq = trial.record(ticket, of: id)
    trial.collect()
    #expect(!trial.acts.contains(.leave(id)))
    try trial.conclude(seq, "heard")
    #expect(trial.acts.contains(.leave(id)))
    #expect(trial.published().isEmpty && trial.heard(by: id) == [])
  }

  @Test mutating func `what those have had said that have left can be cancelled, too`() throws {
    let id = trial.visit("spd-say")
    let seq = trial.record(try speak(from: id).ticket, of: id)
    trial.door.close(id, at: trial.now)
    let other = trial.visit("spd-say")
    trial.say("CANCEL ALL", from: other)
    #expect(trial.published().map { $0.event["of"].integer } == [seq])
  }

  @Test mutating func `of too many clients one that has left gives way, and none that is here`()
    throws
  {
    let id = trial.visit("spd-say")
    _ = trial.record(try speak(from: id).ticket, of: id)
    trial.door.close(id, at: trial.now)
    for _ in 1..<Door.mostGuests { _ = trial.visit("tea") }
    #expect(trial.door.open(at: trial.now) != nil)
    trial.collect()
    #expect(trial.acts.contains(.leave(id)))
    #expect(trial.door.open(at: trial.now) == nil)
  }
}
