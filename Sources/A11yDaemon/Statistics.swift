// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

// The figures of the bus: a line for `systemctl status`, a table for `stats`.
extension Bus {
  package var status: String {
    "\(connections.count) connections, \(subscribers.count) subscribers, last seq \(last.number)"
      + (broker.isDegraded ? ", storage degraded" : "")
  }

  /// Appends the answer to `stats` for the request with this id; none where nobody has asked.
  func writeStatistics(to id: Span<UInt8>, into out: inout ByteBuffer) {
    guard id.count > 0 else { return }
    out.append("{\"id\":")
    out.append(id)
    out.append(",\"ok\":{")
    out.append(member: "server", Protocol.server)
    // An operator who reloads a daemon asks here which process it is, and how the reload ended.
    out.append(member: "pid", Int64(Machine.processID))
    out.append(member: "reloads")
    out.append("{")
    out.append(member: "count", reloads.count)
    if let refused = reloads.refused { out.append(member: "refused", refused) }
    out.append("}")
    out.append(
      member: "uptime_ms",
      Int64(time.bootMicroseconds() - startedAt) / 1_000
    )
    out.append(member: "connections", Int64(connections.count))
    out.append(member: "turns", turns)
    writeLog(into: &out)
    broker.writeCounters(into: &out)
    writeSubscribers(into: &out)
    out.append("}}\n")
  }

  private func writeLog(into out: inout ByteBuffer) {
    out.append(member: "log")
    out.append("{")
    out.append(member: "epoch", epoch.hex)
    out.append(member: "first", log.first.number)
    out.append(member: "last", log.last.number)
    out.append(member: "synced", log.synced.number)
    out.append(member: "segments", Int64(log.segmentCount))
    out.append(member: "bytes", log.bytes)
    out.append(member: "degraded", broker.isDegraded)
    out.append("}")
  }

  private func writeSubscribers(into out: inout ByteBuffer) {
    out.append(member: "subscribers")
    out.append("[")
    var isFirst = true
    for connection in subscribers.prefix(Self.listedSubscribers) {
      guard let feed = connection.feed else { continue }
      if !isFirst { out.append(",") }
      isFirst = false
      let passed = feed.passed
      out.append("{")
      out.append(member: "conn", connection.session.conn)
      out.append(member: "app", connection.session.app)
      out.append(member: "at", passed.number)
      out.append(member: "behind", max(0, last.number - passed.number))
      out.append(member: "unread_bytes", Int64(connection.backlog.count))
      // A person whose voice is silent asks here which readers there are.
      if let rank = connection.session.listeningRank { out.append(member: "speech", rank) }
      out.append("}")
    }
    out.append("]")
  }

  /// Rows of the table: the answer stays within a line's bound.
  private static var listedSubscribers: Int { 256 }
}
