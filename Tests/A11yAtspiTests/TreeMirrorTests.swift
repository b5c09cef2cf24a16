// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import DBus
import Testing

/// The mirror by itself: objects in, elements out, time as a number.
@Suite(.timeLimit(.minutes(hangs))) struct TreeMirrorTests {
  private var mirror = TreeMirror()
  private var now: Int64 = 1_000_000
  private var events: [JSONValue] = []
  /// The window as its program has it.
  private var nodes: [SourceObject: MirrorNode] = [:]
  private var mostAsked = 0

  private static func object(_ name: String) -> SourceObject {
    SourceObject(":1.7", "/org/a11y/atspi/accessible/\(name)")
  }

  private mutating func put(
    _ name: String,
    role: Int64 = 39,
    label: String = "",
    states: [AtspiState] = [.showing, .enabled],
    children: [String] = []
  ) {
    let facts = SourceFacts(role: AtspiRole(role), name: label)
    nodes[Self.object(name)] = MirrorNode(
      ControlFacts(facts, states: AtspiStates(states)),
      children: children.map(Self.object),
      frame: [1, 2, 3, 4]
    )
  }

  /// Has the program answer until nothing is asked, and collects the events.
  private mutating func settle() throws {
    events = []
    while true {
      var looks: [SourceObject] = []
      var traces: [SourceObject] = []
      for act in mirror.takeActs() {
        switch act {
        case .look(let source): looks.append(source)
        case .trace(let source): traces.append(source)
        case .post(let event, let sender):
          #expect(sender == ":1.7")
          events.append(try #require(JSONValue(json: event.json)))
        }
      }
      mostAsked = max(mostAsked, looks.count)
      for source in looks { mirror.learn(source, nodes[source], at: now) }
      for source in traces {
        let parent = nodes.first { $0.value.children.contains(source) }?.key
        mirror.learnParent(parent, of: source, at: now)
      }
      guard looks.isEmpty, traces.isEmpty else { continue }
      guard let due = mirror.due else { return }
      now = due
      mirror.catchUp(at: now)
    }
  }

  private mutating func showWindow() throws {
    put("1", role: 23, label: "Contacts", children: ["2"])
    put("2", children: ["3", "4"])
    put("3", role: 43, label: "Save")
    put("4", role: 40, label: "PIN")
    mirror.open(Self.object("1"), at: now)
    try settle()
  }

  private mutating func hear(_ news: AtspiSignal.News, from name: String) throws {
    mirror.hear(AtspiSignal(Self.object(name), news), at: now)
    try settle()
  }

  private func ids(_ list: String) -> [String] {
    events.flatMap { $0[list]?.list ?? [] }.map { $0["id"]?.string ?? $0.string ?? "" }
  }

  @Test mutating func `a window is told as a whole, with parents, order and places`() throws {
    try showWindow()

    #expect(events.count == 1)
    #expect(events[0]["window"]?.string == ":1.7/1")
    let elements = try #require(events[0]["replace"]?.list)
    #expect(elements.map { $0["id"]?.string } == [":1.7/2", ":1.7/3", ":1.7/4"])
    #expect(elements.map { $0["parent"]?.string } == [nil, ":1.7/2", ":1.7/2"])
    #expect(elements.map { $0["index"]?.integer } == [0, 0, 1])
    #expect(elements[1]["label"]?.string == "Save")
    #expect(elements[1]["frame"]?.list == [1, 2, 3, 4])
    #expect(elements[2]["traits"]?.list == ["text-field", "secure"])
    #expect(mirror.object(of: ":1.7/3") == Self.object("3"))
  }

  @Test mutating func `an object that comes is added, and one that goes is removed`() throws {
    try showWindow()
    put("2", children: ["4", "5"])
    put("5", role: 43, label: "New")
    try hear(.childrenChanged, from: "2")

    #expect(ids("remove") == [":1.7/3"])
    #expect(Set(ids("upsert")) == [":1.7/2", ":1.7/4", ":1.7/5"])
    #expect(mirror.object(of: ":1.7/3") == nil)
  }

  @Test mutating func `a change that is no change is not told`() throws {
    try showWindow()
    try hear(.renamed("New"), from: "3")
    #expect(events == [])
  }

  @Test mutating func `an object that shows later brings what is in it`() throws {
    put("1", role: 23, children: ["2"])
    put("2", states: [.enabled], children: ["3"])
    put("3", role: 43, label: "Save")
    mirror.open(Self.object("1"), at: now)
    try settle()
    let before = ids("replace")
    put("2", children: ["3"])
    try hear(.shown, from: "2")

    let shown = ids("upsert")
    put("2", states: [.enabled], children: ["3"])
    try hear(.shown, from: "2")

    #expect(before == [])
    #expect(shown == [":1.7/2", ":1.7/3"])
    #expect(ids("remove") == [":1.7/2"])
    #expect(ids("upsert") == [])
  }

  @Test mutating func `the words of a link are its name, and no elements of their own`() throws {
    put("1", role: 23, children: ["2"])
    put("2", role: 88, label: "Home", children: ["3"])
    put("3", role: 116, label: "Home")
    mirror.open(Self.object("1"), at: now)
    try settle()

    #expect(ids("replace") == [":1.7/2"])
  }

  @Test mutating func `a window that is renamed has another title`() throws {
    try showWindow()
    put("1", role: 23, label: "Ann", children: ["2"])
    try hear(.renamed("New"), from: "1")

    #expect(events.map { $0["title"]?.string } == ["Ann"])
  }

  @Test mutating func `a page that has come without a word is found by its parents`() throws {
    try showWindow()
    put("2", children: ["3", "4", "8"])
    put("8", children: ["9"])
    put("9", role: 95, label: "Page")
    try hear(.loaded, from: "9")

    #expect(Set(ids("upsert")) == [":1.7/2", ":1.7/8", ":1.7/9"])
  }

  @Test mutating func `a wide window is cut at its bound, and few objects are asked at a time`()
    throws
  {
    let names = (0..<5_000).map { "c\($0)" }
    put("1", role: 23, children: names)
    for name in names { put(name, role: 43, label: "Button \(name)") }
    mirror.open(Self.object("1"), at: now)
    try settle()

    #expect(ids("replace").count + ids("upsert").count == 1_999)
    #expect(mirror.omitted == 5_000 - 1_999)
    #expect(mostAsked <= 8)
    #expect(events.allSatisfy { $0.description.utf8.count < 65_536 })
  }

  @Test mutating func `a window whose parts lead back to it has an end`() throws {
    put("1", role: 23, children: ["2"])
    put("2", children: ["2", "3", "1"])
    put("3", role: 43, label: "Save", children: ["2"])
    mirror.open(Self.object("1"), at: now)
    try settle()

    #expect(ids("replace") == [":1.7/2", ":1.7/3"])
  }

  @Test mutating func `a program that does not answer in time is told as far as it has`() throws {
    put("1", role: 23, children: ["2", "3"])
    put("2", role: 43, label: "Save")
    mirror.open(Self.object("1"), at: now)
    _ = mirror.takeActs()
    mirror.learn(Self.object("1"), nodes[Self.object("1")], at: now)
    _ = mirror.takeActs()
    mirror.learn(Self.object("2"), nodes[Self.object("2")], at: now)
    now = try #require(mirror.due)
    mirror.catchUp(at: now)
    nodes[Self.object("3")] = nil
    try settle()

    #expect(ids("replace") == [":1.7/2"])
  }

  @Test mutating func `a flood of changes of one object is few questions`() throws {
    try showWindow()
    var looks = 0
    for _ in 1...10_000 {
      mirror.hear(AtspiSignal(Self.object("3"), .renamed("New")), at: now)
      looks += mirror.takeActs().count
    }

    #expect(looks == 1)
  }
}
