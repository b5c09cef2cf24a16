// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import Synchronization

/// The bus for code that must not wait: publishing, the user's gestures, and entries as they come.
///
/// A client that only publishes costs a socket and a thread from its first publication on, each
/// loop over gestures or entries another of each. An app need not care whether the bus is there:
/// everything goes on by itself when the bus is back. A bus that has forgotten the app's windows,
/// their elements and the active window is told of them again.
///
///     let bus = Client(app: "org.gnome.Contacts")
///     bus.post(.announcement("Item was added"))
///     for await gesture in bus.gestures { gesture.handled() }
public final class Client: Sendable {
  /// The most posted events that may be on their way to the bus at once.
  public static let postedEvents = 1_024
  /// The most bytes that those events may have together.
  public static let postedBytes = 4_194_304

  private let source: Source
  private let publisher = Mutex<PublishingThread?>(nil)

  /// A client by this name, which connects when it is first used.
  ///
  /// - Parameters:
  ///   - app: The name of this app on the bus; nil for the user alone.
  ///   - role: The client's part beyond that of an app.
  ///   - voice: The voice of a reader.
  ///   - path: The socket of the bus.
  public convenience init(
    app: String? = nil,
    role: ClientRole? = nil,
    voice: ReaderVoice? = nil,
    path: String = BusPath.standard
  ) {
    self.init(app: app, role: role, voice: voice, path: path, backoff: Backoff())
  }

  package init(
    app: String?,
    role: ClientRole?,
    voice: ReaderVoice? = nil,
    path: String,
    backoff: Backoff
  ) {
    source = Source(
      path: path,
      introduction: Introduction(app: app, role: role, voice: voice),
      backoff: backoff
    )
  }

  deinit { publisher.withLock { $0 }?.stop() }

  /// Publishes an event and returns when it is on record.
  ///
  /// While the bus is away the call waits for it, up to the timeout. When the connection breaks
  /// under way, an event with a `dedupe` key is sent again, since that cannot record it twice;
  /// without one the call throws `disconnected`, and the event may be on record or not.
  ///
  /// - Parameters:
  ///   - event: The event to publish.
  ///   - ack: The safety that the call waits for; written, unless told otherwise.
  ///   - dedupe: A key: the same key of the same app within ten minutes is recorded only once.
  ///   - timeout: The longest wait.
  /// - Returns: The event's seq, and advice on it.
  /// - Throws: The bus's refusal, or the reason why the bus could not be asked.
  @discardableResult
  public func publish(
    _ event: Event,
    ack: AcknowledgementLevel? = nil,
    dedupe: String? = nil,
    timeout: Duration = BusConnection.patience
  ) async throws(ClientError) -> Receipt {
    let publication = OutgoingEvent(event: event, acknowledgement: ack, dedupe: dedupe)
    return try await Receipt(startedPublisher().ask(.publication(publication), timeout).get())
  }

  /// Publishes an event without waiting for anything.
  ///
  /// Posted and published events are sent in their common order. While the bus is away, events
  /// about windows and elements only change what the bus will be told of the app; any other event
  /// is given up after `BusConnection.patience`, since nobody wants to hear late what was worth
  /// saying then. Events that the bus did not take are among the complaints.
  ///
  /// - Parameters:
  ///   - event: The event to post.
  ///   - dedupe: A key: the same key of the same app within ten minutes is recorded only once.
  /// - Returns: Whether there was room for the event, by `postedEvents` and `postedBytes`.
  @discardableResult
  public func post(_ event: Event, dedupe: String? = nil) -> Bool {
    let publication = OutgoingEvent(event: event, dedupe: dedupe, isPosted: true)
    guard let publisher = try? startedPublisher() else { return false }
    return publisher.post(publication)
  }

  /// Waits until the bus has answered everything posted before, for a program that is about to end.
  ///
  /// - Parameter timeout: The longest wait.
  /// - Returns: Whether the bus has.
  @discardableResult
  public func flush(timeout: Duration = BusConnection.patience) async -> Bool {
    guard let publisher = (publisher.withLock { $0 }) else { return true }
    if case .success = await publisher.ask(.ping, timeout) { return true }
    return false
  }

  /// Hands out the bus's complaints about posted events, and the events given up, and forgets them.
  public func takeComplaints() -> [BusConnection.Complaint] {
    publisher.withLock { $0 }?.takeComplaints() ?? []
  }

  /// The gestures of the user that are meant for this app, as they come.
  public var gestures: AppGestures { AppGestures(self) }

  /// Keeps a complaint until the app asks for complaints.
  func complain(_ complaint: BusConnection.Complaint) {
    (try? startedPublisher())?.complain(complaint)
  }

  /// The name under which the bus knows the app.
  var name: String { source.introduction.app ?? "uid:\(Environment.uid)" }

  /// The entries of the log from a place on.
  public func entries(
    from start: StartingPoint = .now,
    filter: EntryFilter = .everything,
    mode: SubscriptionRequest.Mode = .lossless,
    state: Bool = false
  ) -> Entries {
    Entries(source, SubscriptionRequest(from: start, filter: filter, mode: mode, state: state))
  }

  private func startedPublisher() throws(ClientError) -> PublishingThread {
    let result: Result<PublishingThread, ClientError> = publisher.withLock { held in
      if let held { return .success(held) }
      do throws(ClientError) {
        let fresh = try PublishingThread(source)
        held = fresh
        return .success(fresh)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
