// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yPosix
import A11yWire
import Glibc

/// A file of expected texts.
struct Expectation {
  let path: String
  let expected: ExpectedTexts
  private let isThere: Bool

  /// The most bytes and lines of such a file.
  private static let mostBytes = 4 << 20
  private static let mostLines = Verdict.mostTexts

  /// Reads the file; one that is to be written need not be there.
  init(_ path: String, isOptional: Bool) throws(Failure) {
    self.path = path
    let bytes: [UInt8]
    do throws(File.Unreadable) {
      bytes = try File.read(path, limit: Self.mostBytes)
      isThere = true
    } catch .refused(.noSuchFile) where isOptional {
      bytes = []
      isThere = false
    } catch .refused(.noSuchFile) {
      throw Failure(.noInput, "\(path) is not there. With --update, it is written.")
    } catch {
      throw Failure(.noInput, "\(path): \(error).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.noInput, "\(path) is no text in UTF-8.")
    }
    // Some editors put a mark in front, which nobody hears.
    expected = ExpectedTexts(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
    guard expected.lines.count <= Self.mostLines else {
      throw Failure(.noInput, "\(path) has more than \(Self.mostLines) texts.")
    }
  }

  /// The differences, each with its place in the file.
  func findings(
    _ comparison: TextComparison,
    _ texts: [String],
    _ times: [String]
  )
    -> [(name: String, finding: CheckFinding?)]
  {
    var last = 0
    return comparison.steps.map { step in
      switch step {
      case .expected(let line, _), .anything(let line, _):
        last = expected.lines[line].number
        return ("line \(last), \(expected.lines[line].text)", nil)
      case .missing(let line):
        last = expected.lines[line].number
        let words = "Line \(last) was not heard: \(expected.lines[line].text)"
        let finding = CheckFinding(.error, "text.missing", at: position(last), words)
        return ("line \(last), \(expected.lines[line].text)", finding)
      case .unexpected(let text):
        let behind = last == 0 ? "before the first line" : "behind line \(last)"
        let words = "Not expected \(behind), after \(times[text]): \(texts[text])"
        let finding = CheckFinding(.error, "text.unexpected", at: position(max(1, last)), words)
        return ("not expected, \(texts[text])", finding)
      }
    }
  }

  private func position(_ line: Int) -> CheckFinding.Place { .init(file: path, line: line) }

  /// Writes the file anew where it is not right; true where it was written.
  func renew(_ comparison: TextComparison) throws(Failure) -> Bool {
    if isThere, comparison.isEqual { return false }
    let draft = "\(path).\(getpid()).unfinished"
    do throws(Errno) {
      do throws(Errno) {
        // As the file will be read by others, it has the rights that the user's files have.
        let file = try FileDescriptor.open(draft, [.writeOnly, .create, .truncate], mode: 0o666)
        try file.writeAll(Array(comparison.renewed.utf8).span)
        try file.synchronize()
        try File.rename(draft, to: path)
      } catch {
        try? File.unlink(draft)
        throw error
      }
    } catch {
      throw Failure(.inputOutput, "Writing \(path) failed: \(error).")
    }
    return true
  }
}
