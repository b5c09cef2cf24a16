// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The peers with which the daemon takes turns, so that a figure means something on any machine.
enum Peer: String, CaseIterable {
  /// This program as the relay that does nothing: the bound of sockets and scheduler.
  case relay
  /// A relay that parses, seals and stores: the bound of a bus with a log.
  case sealingRelay = "sealing relay"
  /// A file that is appended to and synced: the bound of the disk.
  case disk
  /// A table of SQLite with the same lines: a good store.
  case sqlite = "SQLite"
  case redis = "Redis Streams"
  case nats = "NATS JetStream"
  case mosquitto
  case dbus = "dbus-broker"

  /// The servers of others, each with its own C library.
  static let servers = [redis, nats, mosquitto, dbus]
  /// All that pass on the same lines.
  static let buses = [relay, sealingRelay] + servers

  /// Whether it can be measured without the daemon; SQLite needs the entries that the daemon
  /// logged.
  var standsAlone: Bool { self != .sqlite }

  /// The name of its load, and on the command line; nil for a peer that is no server of others.
  var word: String? {
    switch self {
    case .redis: "redis"
    case .nats: "nats"
    case .mosquitto: "mosquitto"
    case .dbus: "dbus"
    case .relay, .sealingRelay, .disk, .sqlite: nil
    }
  }

  /// The Debian package and the program of a server.
  var program: String? {
    switch self {
    case .redis: "redis-server"
    case .nats: "nats-server"
    case .mosquitto: "mosquitto"
    case .dbus: "dbus-broker"
    case .relay, .sealingRelay, .disk, .sqlite: nil
    }
  }

  /// The fate of its lines when it or the machine stops.
  var durability: String {
    switch self {
    case .relay: "stores nothing"
    case .sealingRelay: "each turn is written to a file before it is sent; never synchronised"
    case .disk: "each piece is synchronised"
    case .sqlite: "as the row says"
    case .redis: "append-only file, written each turn, synchronised each second (everysec)"
    case .nats: "stream on disk, synchronised every two minutes, its default"
    case .mosquitto:
      "QoS 1; sessions in memory, saved when it stops and every 30 minutes, its default"
    case .dbus: "stores nothing"
    }
  }

  /// Its way of serving, as the loads use it.
  var way: String {
    switch self {
    case .relay: "forwards bytes over a Unix socket and answers each line"
    case .sealingRelay:
      "parses each line with simdjson, numbers it and seals it, over a Unix socket"
    case .disk: "fdatasync"
    case .sqlite: "one prepared insert in this process, no sockets"
    case .redis: "hiredis over a Unix socket; XADD in a pipeline, XREAD BLOCK of up to 1,000"
    case .nats: "libnats over TCP to this machine; js_PublishAsync, ordered push consumers"
    case .mosquitto: "libmosquitto over a Unix socket; MQTT 3.1.1, no limit of lines in flight"
    case .dbus: "sd-bus over a Unix socket; broadcast signals, and calls where an answer is wanted"
    }
  }

  /// The part of the events that it is given, since a run of the slow ones would take minutes.
  var patience: Int {
    switch self {
    case .relay, .sealingRelay, .disk, .sqlite, .redis: 1
    case .nats: 2
    case .dbus: 5
    case .mosquitto: 10
    }
  }
}
