// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
internal import A11yWire

/// A reader's connection to the bus in somebody else's loop: no call waits.
///
/// The link says hello on every new connection, subscribes as long as the reader is able to
/// present something, and comes back by itself when the bus has gone. Its owner watches
/// `descriptor`, calls `serve` when that is readable or `due` has come, and does what the news say.
package final class ReaderLink {
  /// The news of a connection.
  package enum News: Equatable {
    /// The bus has introduced itself.
    case connected(ServerInfo)
    case entry(Entry)
    /// The words of a delivery that the log does not hold.
    case secret(of: Int64, kind: String, SpeechText)
    /// The connection is lost, or could not be made; told once for a row of losses.
    case away(reason: String)
    /// The bus has refused a request.
    case refused(BusRefusal)
  }

  private enum ID {
    static let hello: Int64 = 1
    static let subscription: Int64 = 2
  }

  private let uplink: Uplink
  private let introduction: Introduction
  private let subscription: SubscriptionRequest
  private var isSubscribed = false
  private var isAway = false
  private var farewell: String?

  /// A link to the socket at `path`; the first `serve` connects.
  package init(
    path: String,
    introduction: Introduction,
    types: [String]
  ) throws(ClientError) {
    uplink = try Uplink(path: path, backoff: Backoff(), interrupt: nil, interest: [])
    self.introduction = introduction
    subscription = SubscriptionRequest(filter: EntryFilter(types: types))
  }

  /// The set of the link's descriptors, readable when there is something to serve.
  package var descriptor: Poll { uplink.poll }

  /// The moment of the monotonic clock at which `serve` tries to connect; nil while connected.
  package var due: UInt64? { uplink.channel == nil ? uplink.nextAttempt.microseconds : nil }

  /// Whether the reader is able to present what the bus delivers; the bus is told at once.
  package var isAble = false {
    didSet {
      guard isAble != oldValue, uplink.channel != nil else { return }
      try? adjustSubscription()
    }
  }

  /// Connects where it is time to, and takes what the bus has sent.
  package func serve() throws(ClientError) -> [News] {
    do throws(ClientError) {
      if try uplink.connect() {
        isSubscribed = false
        try uplink.request("hello", id: ID.hello, introduction.fields)
        try adjustSubscription()
      }
    } catch {
      return lose(error.reason)
    }
    _ = try uplink.wait(until: .now, reconnects: false)
    var news: [News] = []
    do throws(ClientError) {
      while let line = try uplink.channel?.next(A11yClient.News.init) { news += receive(line) }
    } catch {
      news += lose(error.reason)
    }
    return news
  }

  /// Publishes an event without waiting; a refusal is among the news.
  package func post(_ event: Event) throws(ClientError) {
    try uplink.enqueue(OutgoingEvent(event: event), id: nil)
    _ = try uplink.wait(until: .now, reconnects: false)
  }

  private func adjustSubscription() throws(ClientError) {
    guard isAble != isSubscribed else { return }
    isSubscribed = isAble
    if isAble {
      try uplink.request("subscribe", id: ID.subscription, subscription.fields)
    } else {
      try uplink.request("unsubscribe", id: nil)
    }
    uplink.channel?.push()
  }

  private func receive(_ line: A11yClient.News) -> [News] {
    switch line {
    case .entry(let entry): return [.entry(entry)]
    case .mark(.secret(let of, let kind, let words)): return [.secret(of: of, kind: kind, words)]
    case .mark, .unknownFields: return []
    case .reply(ID.hello, .success(let ok)):
      isAway = false
      uplink.confirm()
      return [.connected(ServerInfo(ok))]
    case .reply(_, .success): return []
    case .reply(_, .failure(.refused(let refusal))): return [.refused(refusal)]
    case .reply(_, .failure): return []
    case .farewell(let error):
      farewell = error.reason
      return []
    }
  }

  private func lose(_ reason: String) -> [News] {
    uplink.disconnect()
    isSubscribed = false
    defer { (isAway, farewell) = (true, nil) }
    return isAway ? [] : [.away(reason: farewell ?? reason)]
  }
}
