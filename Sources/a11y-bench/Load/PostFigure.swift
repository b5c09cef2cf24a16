// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Glibc

/// The time that posting an event takes of the app that posts it.
///
/// Events come in bursts that the libraries have room for; the daemon has all events of a burst
/// before the next one begins. Only events that are taken count.
final class PostFigure: Figure {
  let rows = [
    Row(name: "a11y_post in C, the app's time per event in µs", decimals: 2, goals: [.atMost(3)]),
    Row(
      name: "Client.post in Swift, the app's time per event in µs",
      decimals: 2,
      goals: [.atMost(60)]
    ),
  ]
  let peers: [Peer] = []
  private static let burst = 1_000
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let home = try setting.home("post")
    let server = try Server(subject, in: home)
    defer { server.end() }
    return [try measureC(home), try measureSwift(home, server)]
  }

  /// The figure of the program that `make bench` builds; nil where it was not built.
  private func measureC(_ home: Home) throws(BenchFailure) -> Double? {
    let program = try PeerPrograms.built("measure-post")
    guard access(program, X_OK) == 0 else { return nil }
    let output = home.path + "/measure-post"
    let events = setting.size(1_000_000)
    _ = try Tool.run(program, [home.socket, "\(events)"], home: home, output: output)
    let words = (Files.text(output) ?? "").split(separator: " ")
    guard words.count > 1, let time = Double(words[1]) else {
      throw BenchFailure("measure-post has not told a figure")
    }
    return time
  }

  private func measureSwift(_ home: Home, _ server: Server) throws(BenchFailure) -> Double {
    let client = Client(app: "org.example.Flood", path: home.socket)
    let event = Event.announcement("Message 42 was sent to Anna", priority: .low).window("main")
    var spent = 0
    let bursts = setting.size(100_000) / Self.burst
    for _ in 0..<bursts {
      let before = try server.last()
      spent += postBurst(event, on: client)
      while try server.last() < before + Self.burst {}
    }
    return Double(spent) / 1e3 / Double(bursts * Self.burst)
  }

  /// Posts a burst, and returns the time that it took.
  ///
  /// The thread of the client may still have answers of the burst before to read; the wait for that
  /// is not the app's.
  private func postBurst(_ event: Event, on client: Client) -> Int {
    var spent = 0
    var taken = 0
    while taken < Self.burst {
      let start = Clock.nanoseconds()
      while taken < Self.burst, client.post(event) { taken += 1 }
      spent += Clock.nanoseconds() - start
      if taken < Self.burst { Clock.sleep(milliseconds: 1) }
    }
    return spent
  }
}
