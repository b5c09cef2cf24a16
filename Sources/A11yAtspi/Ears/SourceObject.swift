// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// An object of a foreign program: its connection, and its path there.
package struct SourceObject: Hashable, Sendable {
  package let sender: String
  package let path: String

  package init(_ sender: String, _ path: String) {
    self.sender = sender
    self.path = path
  }

  /// The object by which a toolkit introduces a program.
  package static func root(of sender: String) -> SourceObject {
    SourceObject(sender, "/org/a11y/atspi/accessible/root")
  }

  private static let usualPrefix = "/org/a11y/atspi/accessible/"
  private static let mostBytes = 128

  /// The element of the bus that stands for it, by its connection and the end of its path.
  ///
  /// D-Bus allows ASCII alone in both, and a daemon's names of connections are short.
  package var element: String {
    let name =
      path.hasPrefix(Self.usualPrefix) ? path.dropFirst(Self.usualPrefix.count) : path[...]
    // The end of a long path tells its objects apart.
    return "\(sender)/\(name.suffix(Self.mostBytes - 1 - sender.utf8.count))"
  }
}
