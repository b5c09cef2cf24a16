// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

@testable import A11yLog

/// A state that is as small as can be: the keys of entries that bear one.
struct KeyState: LoggedState {
  var keys: [UsedKey] = []

  mutating func apply(_ line: Span<UInt8>, with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line) } catch { return }
    let entry = reader.document
    if let key = UsedKey(entry, in: entry.root, name: "dedupe") { keys.append(key) }
  }

  mutating func expire(through mono: Int64) {}

  mutating func forgetKeys(from first: Seq) { keys.removeAll { $0.seq >= first } }

  mutating func forget(_ selection: Selection) -> Bool {
    let before = keys.count
    keys.removeAll { selection.covers(app: $0.app, uid: $0.uid) }
    return keys.count < before
  }

  mutating func restore(_ line: JSONDocument) -> Bool {
    guard let fact = line.member("key", of: line.root),
      let key = UsedKey(line, in: fact, name: "key")
    else { return false }
    keys.append(key)
    return true
  }

  func beginLines(into out: inout ByteBuffer) -> any StateLines { KeyLines(keys: keys[...]) }
}

/// A key against duplicates, and the entry that it was used for.
struct UsedKey: Equatable {
  let uid: Int64
  let app: String
  let key: String
  let seq: Seq
  let mono: Int64
}

extension UsedKey {
  fileprivate init?(_ document: JSONDocument, in object: JSONIndex, name: StaticString) {
    guard let key = document.string(name, of: object),
      let app = document.string("app", of: object), let uid = document.integer("uid", of: object),
      let seq = document.seq("seq", of: object), let mono = document.integer("mono", of: object)
    else { return nil }
    self.init(uid: uid, app: app, key: key, seq: seq, mono: mono)
  }
}

private struct KeyLines: StateLines {
  var keys: ArraySlice<UsedKey>

  mutating func appendLines(into out: inout ByteBuffer, budget: Int) -> Bool {
    while out.count < budget {
      guard let key = keys.popFirst() else { return true }
      out.appendLine { out in
        out.object("key") { out in
          out.append(member: "app", key.app)
          out.append(member: "uid", key.uid)
          out.append(member: "key", key.key)
          out.append(member: "seq", key.seq.number)
          out.append(member: "mono", key.mono)
        }
      }
    }
    return false
  }
}
