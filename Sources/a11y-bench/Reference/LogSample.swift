// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Some thousand lines of a daemon's log, end to end and without their newlines.
struct LogSample {
  private let bytes: [UInt8]
  private let lines: [Range<Int>]
  private static let most = 10_000

  /// Reads the oldest segment in a state directory.
  init(of state: String) throws(BenchFailure) {
    let segments = Files.names(in: state).filter { $0.hasSuffix(".ndjson") }
    guard let oldest = segments.min(), let text = Files.text(state + "/" + oldest) else {
      throw BenchFailure("there is no segment in \(state)")
    }
    var bytes: [UInt8] = []
    var lines: [Range<Int>] = []
    for line in text.utf8.split(separator: 0x0A) where lines.count < LogSample.most {
      guard line.starts(with: #"{"seq":"#.utf8) else { continue }
      lines.append(bytes.count..<bytes.count + line.count)
      bytes += line
    }
    guard !lines.isEmpty else { throw BenchFailure("there is no entry in \(state)/\(oldest)") }
    self.bytes = bytes
    self.lines = lines
  }

  var bytesPerLine: Int { bytes.count / lines.count }

  /// Lends a line; after the last comes the first again.
  @inline(__always)
  func withLine<Result>(
    _ index: Int,
    _ body: (UnsafeRawBufferPointer) throws(BenchFailure) -> Result
  ) throws(BenchFailure) -> Result {
    let range = lines[index % lines.count]
    return try bytes.span.withUnsafeBytes { raw throws(BenchFailure) in
      try body(UnsafeRawBufferPointer(rebasing: raw[range]))
    }
  }
}
