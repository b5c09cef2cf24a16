// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A request to be sent entries.
public struct SubscriptionRequest: Hashable, Sendable {
  /// The treatment of entries for which the subscriber is too slow.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Every entry comes, however late.
    case lossless
    /// Older entries of a kind give way to the newest; a mark tells how many.
    case latest
  }

  /// The beginning.
  public var from: StartingPoint
  /// The choice of entries.
  public var filter: EntryFilter
  /// The treatment of a slow subscriber.
  public var mode: Mode
  /// Whether the state of windows, focus and reader comes first.
  public var state: Bool
  /// Whether entries come only when the disk has confirmed them.
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

  /// The members of the request, without the bus's defaults.
  var fields: [JSONValue.Member] {
    var fields = [JSONValue.Member("from", .string(from.text))]
    if filter != .everything { fields.append(.init("filter", filter.json)) }
    if mode != .lossless { fields.append(.init("mode", .string(mode.rawValue))) }
    if state { fields.append(.init("state", true)) }
    if durable { fields.append(.init("durable", true)) }
    return fields
  }
}
