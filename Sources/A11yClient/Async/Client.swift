// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The bus for code that must not wait: publishing from tasks, and entries as they come.
///
/// A client that only publishes costs a socket and a thread from its first publication on, each
/// loop over its entries another of each. Losing the bus is nothing that the app has to deal with:
/// both go on by themselves when it is back.
///
///     let client = Client(app: "org.gnome.Contacts")
///     try await client.publish(.announcement("Item was added"))
///     for try await item in client.entries(from: .now) { … }
public final class Client: Sendable {
  private let source: Source
  private let publisher = Mutex<Publisher?>(nil)

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
    let isNamed = app != nil || role != nil
    source = Source(
      path: path,
      introduction: isNamed ? Introduction(app: app, role: role, voice: voice) : nil,
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
    ack: Acknowledgement? = nil,
    dedupe: String? = nil,
    timeout: Duration = Connection.patience
  ) async throws(ClientError) -> Receipt {
    let publication = Publication(event: event, acknowledgement: ack, dedupe: dedupe)
    return try await Receipt(startedPublisher().publish(publication, timeout).get())
  }

  /// The entries of the log from a place on.
  public func entries(
    from start: StartingPoint = .now,
    filter: Filter = .everything,
    mode: Subscription.Mode = .lossless,
    state: Bool = false
  ) -> Entries {
    Entries(source, Subscription(from: start, filter: filter, mode: mode, state: state))
  }

  private func startedPublisher() throws(ClientError) -> Publisher {
    let result: Result<Publisher, ClientError> = publisher.withLock { held in
      if let held { return .success(held) }
      do throws(ClientError) {
        let fresh = try Publisher(source)
        held = fresh
        return .success(fresh)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
