// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A gesture of the user, as the bus hands it to the app that is to do it.
///
/// The bus waits a second for the answer; then it tries another app, or tells the user that nobody
/// has done it.
public struct AppGesture: Sendable {
  /// The number of the gesture.
  public let seq: Int64
  /// The seq of the entry that has led to the gesture: the user's action, as a rule.
  public let action: Int64
  /// The name of the gesture: `activate`, `increment`, `decrement`, `scroll`, `escape`,
  /// `magic-tap`, or one of the actions that the element offers.
  public let name: String
  /// The window that is meant.
  public let window: String?
  /// The element that is meant.
  public let element: String?

  private let client: Client?

  /// `secret` is the name, where the entry does not have it; without a client, the app answers by a
  /// connection of its own.
  package init?(_ entry: Entry, name secret: String? = nil, _ client: Client? = nil) {
    guard entry.conn == 0, entry.type == "gesture", let name = entry.string("name") ?? secret,
      let action = entry.integer("action")
    else { return nil }
    seq = entry.seq
    self.action = action
    self.name = name
    window = entry.string("window")
    element = entry.string("element")
    self.client = client
  }

  /// The cause of events that follow from the gesture.
  ///
  /// A page also turns when the user has listened to its end: no action that could be named, but
  /// the user's doing all the same.
  public var cause: Cause { name == "scroll" ? .user : .action(action) }

  /// Answers the bus: the app has done it or, with `false`, has nothing to do for it.
  public func handled(_ handled: Bool = true) {
    client?.post(.handled(gesture: seq, handled))
  }
}

/// The gestures of a client, for `for await`.
///
/// A loop waits while the bus is away. A gesture of that time is not handed out late, since the
/// user has been told by then that nobody has done it. The loop ends with its task, or when the bus
/// refuses to tell of gestures; the refusal is then among the client's complaints.
public struct AppGestures: AsyncSequence, Sendable {
  private let client: Client

  init(_ client: Client) { self.client = client }

  /// Begins a loop with the next gesture.
  public func makeAsyncIterator() -> Iterator { Iterator(client) }

  /// One loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let client: Client
    private var entries: Entries.Iterator
    /// Whether entries come as they happen, and not out of the past.
    private var isLive = false
    /// The gesture whose name is to come, which the log does not have.
    private var nameless: Entry?

    fileprivate init(_ client: Client) {
      self.client = client
      let filter = EntryFilter(types: ["gesture"], apps: [client.name])
      entries = client.entries(from: .now, filter: filter).makeAsyncIterator()
    }

    /// The next gesture; nil when no more will come.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> AppGesture? {
      do throws(ClientError) {
        while let item = try await entries.next() {
          switch item {
          case .entry(let entry):
            nameless = entry.string("name") == nil ? entry : nil
            if isLive, let gesture = AppGesture(entry, client) { return gesture }
          case .mark(.secretName(let of, let name)):
            if let entry = nameless, entry.seq == of,
              let gesture = AppGesture(entry, name: name, client)
            {
              return gesture
            }
          case .mark(.away): isLive = false
          case .mark(.caughtUp): isLive = true
          case .mark: break
          }
        }
      } catch {
        client.complain(.lost(error))
      }
      return nil
    }
  }
}
