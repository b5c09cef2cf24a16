// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// An entry that somebody has seen, and what it is about.
struct Known {
  let line: [UInt8]
  let entry: EntryLine
  let about: Subject
  let publication: SentEvent?
  /// The end that the entry has to survive by now.
  var safety: SentEvent.Ack
}

/// The facts about an entry that filters look at.
struct Subject: Equatable {
  var type = ""
  var app = ""
  var window: String?
  var elements: [String] = []
  var priority: String?
  var key: String?
  /// `ttl_ms`, which tells publications apart.
  var token: Int64?
  /// Of `opened`: the epoch that it names.
  var epoch: String?
  /// Of what the bus has decided: the events that it is about.
  var of: [Int64] = []
  /// Of `deliver`: the connection that is to speak, and whether there is anything to speak.
  var to: Int64?
  var speaks = false
  /// Whether a text that was spoken before is spoken again.
  var isAgain = false

  /// Reads it off an entry; nil where the line is not strict JSON.
  init?(_ line: [UInt8], of entry: EntryLine, with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line.span) } catch { return nil }
    let document = reader.document
    guard let event = document.member("event", of: document.root),
      let type = document.string("type", of: event)
    else { return nil }
    self.type = type
    app = entry.conn == 0 ? document.string("app", of: event) ?? entry.app : entry.app
    window = document.string("window", of: event)
    if let element = document.string("element", of: event) { elements.append(element) }
    for list in ["upsert", "replace", "remove"] as [StaticString] {
      guard let list = document.member(list, of: event) else { continue }
      var item = list + 1
      while item < document.end(list) {
        if document.kind(item) == .string {
          elements.append(document.string(item))
        } else if let id = document.string("id", of: item) {
          elements.append(id)
        }
        item = document.end(item)
      }
    }
    priority = document.string("priority", of: event)
    if priority == nil, type == "announcement" { priority = "default" }
    key = document.string("key", of: event)
    token = document.integer("ttl_ms", of: event)
    if let one = document.integer("of", of: event) { of.append(one) }
    if let list = document.member("of", of: event), document.kind(list) == .list {
      var item = list + 1
      while item < document.end(list) {
        if let one = document.integer(item) { of.append(one) }
        item = document.end(item)
      }
    }
    to = document.integer("to", of: event)
    if let speak = document.member("speak", of: event) {
      speaks = document.end(speak) > speak + 1
    }
    isAgain = document.member("again", of: event) != nil
    if type == "opened" { epoch = document.string("epoch", of: event) }
  }
}

/// A subscriber's filter, in the judge's own words.
struct SimFilter: Equatable {
  var types: [String]?
  var apps: [String]?
  var windows: [String]?
  var elements: [String]?
  var priorities: [String]?

  func admits(_ subject: Subject) -> Bool {
    if let types, !types.contains(subject.type) { return false }
    if let apps, !apps.contains(subject.app) { return false }
    if let windows, !(subject.window.map(windows.contains) ?? false) { return false }
    if let elements, !subject.elements.contains(where: elements.contains) { return false }
    if let priorities, !(subject.priority.map(priorities.contains) ?? false) { return false }
    return true
  }

  var json: String {
    let lists = [
      ("types", types), ("apps", apps), ("windows", windows), ("elements", elements),
      ("priorities", priorities),
    ]
    let members = lists.compactMap { name, list in
      list.map { "\"\(name)\":[" + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
    }
    return "{" + members.joined(separator: ",") + "}"
  }
}
