// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Synchronization

/// The sound of a sink, as it is heard.
///
/// A thread takes the samples as they come. The moment of the first one is at most the arrival of
/// any piece less its length so far, and the piece that was least delayed tells it best.
final class Recording: Sendable {
  static let rate = 16_000
  /// The samples of a window of ten milliseconds.
  private static let window = 160

  private struct State {
    var samples: [Int16] = []
    var start = Int64.max
    var odd: UInt8?
  }

  private let state = Mutex(State())
  private let process: Process

  init(_ environment: [String: String]) throws {
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/parec")
    process.arguments = [
      "-d", "out.monitor", "--raw", "--format=s16le", "--rate=\(Self.rate)", "--channels=1",
      "--latency-msec=10",
    ]
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let source = pipe.fileHandleForReading
    let thread = Thread { [weak self] in
      var piece = [UInt8](repeating: 0, count: 8_192)
      while true {
        let count = read(source.fileDescriptor, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0, let self else { return }
        self.add(piece[..<count], at: Int64(SystemClock.bootMicroseconds()))
      }
    }
    thread.start()
    try waitUntil("the first sample") { !state.withLock { $0.samples.isEmpty } }
  }

  deinit { if process.isRunning { process.terminate() } }

  private func add(_ bytes: ArraySlice<UInt8>, at time: Int64) {
    state.withLock { state in
      for byte in bytes {
        if let low = state.odd {
          state.samples.append(Int16(bitPattern: UInt16(low) | UInt16(byte) << 8))
          state.odd = nil
        } else {
          state.odd = byte
        }
      }
      let length = Int64(state.samples.count) * 1_000_000 / Int64(Self.rate)
      state.start = min(state.start, time - length)
    }
  }

  /// Waits until the recording reaches a moment of the boot clock.
  func reach(_ moment: Int64) throws {
    try waitUntil("the recording at \(moment)") {
      state.withLock { state in
        state.start + Int64(state.samples.count) * 1_000_000 / Int64(Self.rate) >= moment
      }
    }
  }

  /// The windows that can be heard, between two moments of the boot clock, by their beginnings.
  func loud(from: Int64, to: Int64) -> [Int64] {
    guard from < to else { return [] }
    return state.withLock { state in
      stride(from: 0, to: state.samples.count - Self.window, by: Self.window).compactMap { index in
        let time = state.start + Int64(index) * 1_000_000 / Int64(Self.rate)
        guard (from..<to).contains(time) else { return nil }
        let peak = state.samples[index..<index + Self.window].map { abs(Int($0)) }.max() ?? 0
        return peak > Self.audible ? time : nil
      }
    }
  }

  /// Far below any speech, and far above the rounding of a silent mixer.
  private static let audible = 150
}
