// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What one asks to be sent.
public struct SubscriptionRequest: Hashable, Sendable {
  /// What happens to entries that the subscriber is too slow for.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Each comes, however late.
    case lossless
    /// Older ones of the same kind give way to the newest; a mark tells how many.
    case latest
  }

  /// Where it begins.
  public var from: StartingPoint
  /// What it lets through.
  public var filter: EntryFilter
  /// What happens to a slow subscriber.
  public var mode: Mode
  /// Whether the state of windows, focus and reader comes first.
  public var state: Bool
  /// Whether an entry comes only when the medium has confirmed it.
  public var durable: Bool

  /// Asks for all entries from a place on, unless told otherwise.
  public init(
    from: StartingPoint = .now,
    filter: EntryFilter = .everything,
    mode: Mode = .lossless,
    state: Bool = false,
    durable: Bool = false
  ) {
    self.from = from
    self.filter = filter
    self.mode = mode
    self.state = state
    self.durable = durable
  }

  /// The members of the request, without what is the bus's default anyway.
  var fields: [JSONValue.Member] {
    var fields = [JSONValue.Member("from", .string(from.text))]
    if filter != .everything { fields.append(.init("filter", filter.json)) }
    if mode != .lossless { fields.append(.init("mode", .string(mode.rawValue))) }
    if state { fields.append(.init("state", true)) }
    if durable { fields.append(.init("durable", true)) }
    return fields
  }
}
