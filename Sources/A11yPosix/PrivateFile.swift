// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A small file of which no one else may know.
package enum PrivateFile {
  /// Writes the whole file, in the place of an earlier one in one step.
  package static func replace(_ path: String, with text: String) throws(Errno) {
    // The name begins with a dot, as those do that readers of rules leave alone.
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    let draft = "\(directory)/.a11yd-\(Machine.processID)"
    let bytes = Array(text.utf8)
    do throws(Errno) {
      let file = try FileDescriptor.open(
        draft,
        [.writeOnly, .create, .truncate, .noFollow],
        mode: 0o600
      )
      try file.writeAll(bytes.span)
      try file.synchronize()
      try File.rename(draft, to: path)
      try Directory.synchronize(directory)
    } catch {
      try? File.unlink(draft)
      throw error
    }
  }
}
