// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import Synchronization

/// The bus for code that must not wait: publishing, the user's gestures, and entries as they come.
///
/// A client that only publishes costs a socket and a thread from its first publication on, each
/// loop over gestures or entries another of each. That there is no bus, or that it goes, is nothing
/// that the app has to deal with: all of them go on by themselves when it is back. Windows and
/// elements that the app has shown, and the active window, are told again to a bus that has forgotten
/// them.
///
///     let bus = Client(app: "org.gnome.Contacts")
///     bus.post(.announcement("SubscriptionItem was added"))
///     for await gesture in bus.gestures { gesture.handled() }
public final class Client: Sendable {
  /// So many posted events may be on their way to the bus at once.
  public static let postedEvents = 1_024
  /// So long may they be in all, in bytes.
  public static let postedBytes = 4_194_304

  private let source: Source
  private let publisher = Mutex<PublishingThread?>(nil)

  /// A client by this name; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - app: What the bus is to call this app; nil for the user alone.
  ///   - role: What it is beyond an app.
  ///   - voice: Of a reader, how it speaks.
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

  deinit { publisher.withLock { $0 }?.end() }

  /// Publishes an event and returns when it is on record.
  ///
  /// While the bus is away it waits for it, up to the timeout. When the connection breaks under
  /// way, an event with a `dedupe` key is sent again, since that cannot record it twice; without
  /// one the call throws `disconnected`, and the event may be on record or not.
  ///
  /// - Parameters:
  ///   - event: What to tell.
  ///   - ack: How safe it is to be before the call returns; written, unless told otherwise.
  ///   - dedupe: A key: the same key of the same app within ten minutes is recorded only once.
  ///   - timeout: How long to wait.
  /// - Returns: The event's seq, and advice on it.
  /// - Throws: What the bus has against it, or why it could not be asked.
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
  /// It is sent in the order of all that is posted and published. While the bus is away, events about
  /// windows and elements only change what is told of the app when the bus is back; any other is given
  /// up after `BusConnection.patience`, since nobody wants to hear then what was worth saying before. What
  /// became of events that the bus did not take is among the complaints.
  ///
  /// - Parameters:
  ///   - event: What to tell.
  ///   - dedupe: A key: the same key of the same app within ten minutes is recorded only once.
  /// - Returns: Whether it was taken; false where as many are on their way as may be, `postedEvents`
  ///   or `postedBytes`.
  @discardableResult
  public func post(_ event: Event, dedupe: String? = nil) -> Bool {
    let publication = OutgoingEvent(event: event, dedupe: dedupe, isPosted: true)
    guard let publisher = try? startedPublisher() else { return false }
    return publisher.post(publication)
  }

  /// Waits until what was posted before has come to something, as a program does that is about to end.
  ///
  /// - Parameter timeout: How long to wait.
  /// - Returns: Whether it has.
  @discardableResult
  public func flush(timeout: Duration = BusConnection.patience) async -> Bool {
    guard let publisher = (publisher.withLock { $0 }) else { return true }
    if case .success = await publisher.ask(.ping, timeout) { return true }
    return false
  }

  /// What the bus said about what was posted, and what was given up; it is forgotten then.
  public func takeComplaints() -> [BusConnection.Complaint] {
    publisher.withLock { $0 }?.takeComplaints() ?? []
  }

  /// What the user wants to have done in this app, as it comes.
  public var gestures: AppGestures { AppGestures(self) }

  /// Keeps a complaint for whoever asks.
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
