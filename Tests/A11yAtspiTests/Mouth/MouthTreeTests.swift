// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yTestKit
import DBus
import Testing

/// The mouth's application as others at the accessibility bus see it.
@Suite(.timeLimit(.minutes(hangs))) struct MouthTreeTests {
  private var tree = MouthTree(connection: ":1.4")
  private static let accessible = "org.a11y.atspi.Accessible"
  private static let properties = "org.freedesktop.DBus.Properties"

  private func ask(_ path: String, _ member: String, _ values: [DBusValue] = []) -> DBusValue? {
    guard case .values(let values) = tree.respond(path, Self.accessible, member, values) else {
      return nil
    }
    return values.first
  }

  private func property(_ path: String, _ name: String) -> DBusValue? {
    let words: [DBusValue] = [.string(Self.accessible), .string(name)]
    guard case .values(let values) = tree.respond(path, Self.properties, "Get", words) else {
      return nil
    }
    return values.first?.bare
  }

  /// The path in a reference.
  private func path(_ value: DBusValue?) -> String { value?.members.last?.text ?? "" }

  @Test mutating func `a notification with its label stands in a status bar`() throws {
    let path = tree.hang("Saved", at: 0)
    #expect(ask(path, "GetRole") == .uint32(101))
    let bar = self.path(property(path, "Parent"))
    #expect(ask(bar, "GetRole") == .uint32(54))
    #expect(self.path(property(bar, "Parent")) == MouthTree.root)

    let label = self.path(ask(path, "GetChildAtIndex", [.int32(0)]))
    #expect(ask(label, "GetRole") == .uint32(29))
    #expect(property(label, "Name") == .string("Saved"))
    #expect(property(path, "Name") == .string(""))
    #expect(ask(bar, "GetChildren")?.members.count == 1)
  }

  @Test func `its root is an application by the name that the ears pass over`() {
    #expect(ask(MouthTree.root, "GetRole") == .uint32(75))
    #expect(property(MouthTree.root, "Name") == .string("a11y-atspi"))
    let all: [DBusValue] = [.string("org.a11y.atspi.Application")]
    guard case .values(let values) = tree.respond(MouthTree.root, Self.properties, "GetAll", all)
    else {
      Issue.record("an application has properties")
      return
    }
    #expect(values.first?["ToolkitName"]?.text == "a11yd")
  }

  @Test func `the cache is empty, and of the type that clients expect`() {
    let answer = tree.respond("/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", [])

    #expect(answer == .values([.list("((so)(so)(so)iiassusau)", [])]))
  }

  @Test mutating func `its parent is the desktop, once the registry has told it`() {
    #expect(path(property(MouthTree.root, "Parent")) == "/org/a11y/atspi/null")
    tree.desktop = .root(of: ":1.1")

    #expect(property(MouthTree.root, "Parent")?.members.first?.text == ":1.1")
  }

  @Test mutating func `notifications go after a while, and the oldest where there are many`() {
    let first = tree.hang("0", at: 0)
    for number in 1...16 { _ = tree.hang("\(number)", at: 1) }
    #expect(tree.removeOld(at: 2).contains(first))
    #expect(ask(first, "GetRole") == nil)
    #expect(tree.due == 30_000_001)

    #expect(tree.removeOld(at: 30_000_001).count == 32)
    #expect(tree.due == nil)
  }

  @Test func `what is not there is unknown`() {
    #expect(ask("/org/a11y/atspi/accessible/label_7", "GetRole") == nil)
    #expect(ask(MouthTree.root, "Explode") == nil)
    #expect(path(ask(MouthTree.root, "GetChildAtIndex", [.int32(7)])) == "/org/a11y/atspi/null")
  }
}
