// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yBroker
internal import A11yPresenter
internal import A11yWire

/// The entries that a log would still get if nothing came any more but the time, and if its reader
/// finished each text at once.
///
/// Decisions follow from the log alone. So the presenter is led through the log, and then its
/// clock runs on until nothing is pending, without anybody waiting.
package struct Epilogue: ~Copyable {
  private var replay = Replay()
  /// Whether the log was not decided as it should have been, so that nothing can be foretold.
  private var isLost = false
  private var last = Seq.none
  private var line = Draft()
  private let reader = JSONReader(limit: Limits.answerBytes)
  /// The difference between the wall clock and the bus clock in the last entry.
  private var offset: Int64 = 0
  /// The bytes between the instant and the event, in entries of the bus and of its reader.
  private var origin: [UInt8] = []
  private var readersOrigin: [UInt8] = []
  private var readersConn: Int64 = 0

  package init() {}

  /// Takes the next entry of the log, from its first one on.
  package mutating func follow(_ entry: Span<UInt8>) {
    guard let peek = EnvelopePeek(entry) else { return }
    if replay.isAtLoss(before: peek.seq) || replay.take(entry) != nil { isLost = true }
    last = peek.seq
    offset = peek.time - peek.mono
    guard peek.isOwn else { return }
    origin = entry.extracting(peek.origin).array
    guard entry.extracting(peek.type).equals("client") else { return }
    let reader = self.reader
    do throws(JSONFault) { try reader.read(entry) } catch { return }
    noteReader(reader.document)
  }

  private mutating func noteReader(_ entry: JSONDocument) {
    guard readersOrigin.isEmpty, let event = EntryView(of: entry).event,
      entry.string("state", of: event) == "listening",
      let app = entry.string("app", of: event),
      let uid = entry.integer("uid", of: event).flatMap(UInt32.init(exactly:)),
      let conn = entry.integer("conn", of: event)
    else { return }
    readersConn = conn
    readersOrigin = EntryWriter.origin(app: app, uid: uid, conn: conn).bytes.array
  }

  /// Gives the entries that would follow to `onEntry`, in order; false where they are not known.
  package mutating func runOn(_ onEntry: (Span<UInt8>) -> Void) -> Bool {
    guard !isLost else { return false }
    var presenter = replay.presenter
    while let due = presenter.due {
      presenter.ring()
      precondition(presenter.due.map { $0 >= due } ?? true, "time does not go back")
      drain(&presenter, onEntry)
    }
    return true
  }

  /// Writes down what the presenter has decided, and has it heard.
  private mutating func drain(_ presenter: inout Presenter, _ onEntry: (Span<UInt8>) -> Void) {
    let (origin, readersOrigin) = (origin, readersOrigin)
    while presenter.hasDecided {
      last = last.next
      guard let decision = presenter.next(as: last) else { return }
      let mono = presenter.now.microseconds
      let stamp = Stamp(time: mono + offset, mono: mono)
      line.write(decision, as: last, at: stamp, origin: origin.span)
      pass(&presenter, isTaken: decision.isTaken, onEntry)
      guard
        case .speak(let of, let to?, let characters, _, _) = Order(decision, as: last, at: mono),
        to == readersConn, characters > 0
      else { continue }
      for state in [AutoReader.Report.State.started, .finished] {
        last = last.next
        let report = AutoReader.Report(of: of, state: state, conn: to)
        line.write(report, as: last, at: stamp, origin: readersOrigin.span)
        pass(&presenter, isTaken: true, onEntry)
      }
    }
  }

  private mutating func pass(
    _ presenter: inout Presenter,
    isTaken: Bool,
    _ onEntry: (Span<UInt8>) -> Void
  ) {
    let text = line.text
    onEntry(text.span)
    guard isTaken else { return }
    let reader = self.reader
    do throws(JSONFault) { try reader.read(text.span) } catch { return }
    presenter.take(reader.document)
  }
}
