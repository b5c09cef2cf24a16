// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The members of a request that stand beside the fields of its operation.
public struct RequestHead {
  public fileprivate(set) var id: JSONIndex?
  public fileprivate(set) var operation: JSONIndex?
  /// The key of the only other member; nil where there is none, or more than one.
  public fileprivate(set) var otherKey: JSONIndex?
}

extension JSONDocument {
  /// The head of the request that the line is, found in one pass.
  public var requestHead: RequestHead {
    var head = RequestHead()
    var others = 0
    var key = root + 1
    while key < end(root) {
      switch envelopeMember(key) {
      case .id: head.id = key + 1
      case .operation: head.operation = key + 1
      case nil:
        head.otherKey = key
        others += 1
      }
      key = end(key + 1)
    }
    if others > 1 { head.otherKey = nil }
    return head
  }

  /// Whether a key is one of the two that every request may have.
  func isEnvelope(_ key: JSONIndex) -> Bool { envelopeMember(key) != nil }

  private enum EnvelopeMember {
    case id, operation
  }

  private func envelopeMember(_ key: JSONIndex) -> EnvelopeMember? {
    guard !isEscaped(key) else {
      return isKey(key, "id") ? .id : isKey(key, "op") ? .operation : nil
    }
    let name = raw(key)
    guard name.count == 2 else { return nil }
    switch (name[0], name[1]) {
    case (UInt8(ascii: "i"), UInt8(ascii: "d")): return .id
    case (UInt8(ascii: "o"), UInt8(ascii: "p")): return .operation
    default: return nil
    }
  }
}
