// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Something that the user wants to have done, as the bus hands it to the app.
///
/// The bus waits a second for the answer; then it looks further, or tells the user that nobody has
/// done it.
public struct AppGesture: Sendable {
  /// The number of the gesture.
  public let seq: Int64
  /// The seq of the user's action, or of what else has led to it.
  public let action: Int64
  /// What is wanted: `activate`, `increment`, `decrement`, `scroll`, `escape`, `magic-tap`, or one of
  /// the actions that the element offers.
  public let name: String
  /// The window that is meant.
  public let window: String?
  /// The element that is meant.
  public let element: String?

  private let client: Client

  init?(_ entry: Entry, _ client: Client) {
    guard entry.conn == 0, entry.type == "gesture", let name = entry.string("name"),
      let action = entry.integer("action")
    else { return nil }
    seq = entry.seq
    self.action = action
    self.name = name
    window = entry.string("window")
    element = entry.string("element")
    self.client = client
  }

  /// What events that follow from it give as their cause.
  ///
  /// A page is also turned when the user has listened to its end; that is no action which could be
  /// named, but the user's doing all the same.
  public var cause: Cause { name == "scroll" ? .user : .action(action) }

  /// Tells the bus that the app has done it, or with `false` that it has nothing to do for it.
  public func handled(_ handled: Bool = true) {
    client.post(.handled(gesture: seq, handled))
  }
}

/// The gestures of a client, for `for await`.
///
/// A loop over it outlives the bus: it waits while that is away. A gesture that was made meanwhile is
/// not handed out late, for the user has been told by then that nobody has done it. The loop ends with
/// the task that loops, or where the bus refuses to tell of gestures, which is then among the client's
/// complaints.
public struct AppGestures: AsyncSequence, Sendable {
  private let client: Client

  init(_ client: Client) { self.client = client }

  /// Begins a loop with the next gesture.
  public func makeAsyncIterator() -> Iterator { Iterator(client) }

  /// One loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let client: Client
    private var entries: Entries.Iterator
    /// Whether what comes happens now.
    private var isLive = false

    fileprivate init(_ client: Client) {
      self.client = client
      let filter = EntryFilter(types: ["gesture"], apps: [client.name])
      entries = client.entries(from: .now, filter: filter).makeAsyncIterator()
    }

    /// The next gesture; nil where none will come any more.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> AppGesture? {
      do throws(ClientError) {
        while let item = try await entries.next() {
          switch item {
          case .entry(let entry):
            if isLive, let gesture = AppGesture(entry, client) { return gesture }
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
