// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPresenter
import A11yWire

// The figures of the bus as a page for scrapers, which is made when it is asked for.
extension Bus {
  package var metrics: String {
    var text = OpenMetricsText()
    text.addInfo(.build, [("version", Protocol.release)])
    text.addTime(.startTime, microseconds: startedAtWall)
    addClients(to: &text)
    addEvents(to: &text)
    addLog(to: &text)
    text.addNumber(.reloads, reloads.count)
    text.addNumber(.configurationMistaken, reloads.refused == nil ? 0 : 1)
    return text.page
  }

  private func addClients(to text: inout OpenMetricsText) {
    let feeds = subscribers.compactMap(\.feed)
    text.addNumber(.connections, Int64(connections.count))
    text.addNumber(.connectionsLimit, Int64(settings.limits.connections))
    text.addNumber(.subscribers, Int64(feeds.count))
    let slowest = feeds.map(\.passed).min() ?? last
    text.addNumber(.subscriberBehind, max(0, last.number - slowest.number))
    text.addNumber(.readers, Int64(broker.presenter.readerCount))
  }

  private func addEvents(to text: inout OpenMetricsText) {
    let counters = broker.counters
    text.addNumber(.requests, counters.requests)
    text.addNumbers(
      .refusals,
      by: "code",
      RefusalCode.allCases.map { ($0.rawValue, counters.refused[$0] ?? 0) }
    )
    text.addNumbers(
      .published,
      by: "type",
      EventType.allCases.map { ($0.rawValue, counters.published($0)) }
    )
    text.addNumber(.duplicates, counters.duplicates)
    text.addNumbers(
      .outcomes,
      by: "result",
      Result.allCases.map { ($0.rawValue, counters.ended($0)) }
    )
    text.addHistogram(
      .heardWait,
      milliseconds: WaitHistogram.bounds,
      counters.waits.counts,
      sumMicroseconds: counters.waits.sum.microseconds
    )
    let pending = broker.presenter.pendingByState
    text.addNumbers(
      .pending,
      by: "state",
      Pending.State.allCases.map { ($0.rawValue, pending[$0] ?? 0) }
    )
    text.addNumber(.queue, Int64(broker.presenter.queueLength))
    text.addNumber(.queueLimit, Int64(Limits.pending))
    text.addNumber(.turns, turns)
  }

  private func addLog(to text: inout OpenMetricsText) {
    text.addNumber(.entries, broker.entryCount)
    text.addNumber(.logBytes, log.bytes)
    text.addNumber(.logSegments, Int64(log.segmentCount))
    text.addNumber(.logFirst, log.first.number)
    text.addNumber(.logLast, log.last.number)
    text.addNumber(.logSynced, log.synced.number)
    text.addNumber(.logDegraded, broker.isDegraded ? 1 : 0)
    text.addNumber(.forgets, forgets.count)
    text.addNumber(.forgotten, forgets.entries)
  }
}
