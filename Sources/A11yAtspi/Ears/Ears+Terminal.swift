// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// Output of a terminal.
extension Ears {
  /// Tells the lines that a program writes into the terminal with the focus.
  ///
  /// A text that goes on where the last one has ended is typed: its echo is the reader's. Output
  /// begins on a new line.
  mutating func hearOutput(
    _ text: String,
    at start: Int64,
    of source: SourceObject,
    _ known: SourceFacts,
    at now: Int64
  ) {
    guard let app = apps[source.sender], app.focus == source else { return }
    let isTyped = start == app.lineEnd
    // The screen is filled up with empty lines.
    let end = text.unicodeScalars.lastIndex { !Character($0).isNewline }
    let written = end.map { String(text.unicodeScalars[...$0]) } ?? ""
    app.lineEnd = start + Int64(written.unicodeScalars.count)
    var lines = written.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    if isTyped { lines.removeFirst() }
    var output = lines.map { AtspiSignal.plain(String($0)) }.filter { !$0.isEmpty }
    guard let last = output.popLast() else { return }
    output = output.map(Self.sentence)
    // A line that has not been told yet ends here; the last one may be a prompt.
    if !isTyped, app.streams.contains(where: { $0.source == source && $0.isOpen }) {
      output.insert(".\n", at: 0)
    }
    grow(source, known, by: output.joined() + last, at: now)
  }

  private static func sentence(_ line: String) -> String {
    line.last?.isPunctuation ?? true ? "\(line)\n" : "\(line).\n"
  }

  /// Follows the end of the line when text before it goes.
  func noteErased(_ text: String, at place: Int64, of source: SourceObject) {
    guard let app = apps[source.sender], app.focus == source, let end = app.lineEnd else { return }
    let count = Int64(text.unicodeScalars.count)
    app.lineEnd = max(min(place, end), end - count)
  }
}
