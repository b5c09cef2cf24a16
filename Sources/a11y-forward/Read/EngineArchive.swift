// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward

/// The stored entries of machines, read from an engine; each call has a deadline of seconds.
protocol EngineArchive: AnyObject {
  /// Takes an entry; false where no more are wanted.
  typealias Reader = (ArchivedEntry) throws(ForwardFailure) -> Bool

  /// Takes a sign of life; false where no more are wanted.
  typealias SignReader = (ArchivedSign) throws(ForwardFailure) -> Bool

  /// Gives the newest entry of every machine.
  func readNewest(_ reader: Reader) throws(ForwardFailure)

  /// Gives the last sign of life of every machine that has left one.
  func readSigns(_ reader: SignReader) throws(ForwardFailure)

  /// Gives the entries of one machine, or of all, in the order of each machine.
  ///
  /// With `pause` it goes on with what comes: the function is called before each wait, and ends the
  /// reading by returning false.
  func readEntries(
    _ machine: MachineName?,
    from start: ArchiveStart,
    pause: (() throws(ForwardFailure) -> Bool)?,
    _ reader: Reader
  ) throws(ForwardFailure)
}

/// An entry as an engine has it.
struct ArchivedEntry {
  let machine: String
  let epoch: String
  let line: [UInt8]
}

/// A sign of life as an engine has it.
struct ArchivedSign {
  let machine: String
  let sign: SignOfLife
  /// The instant at which the engine got it, in microseconds since 1970.
  let time: Int64
}

/// The place at which reading begins.
enum ArchiveStart: Equatable {
  case beginning
  /// The last so many entries, as far as they are of one life.
  case last(Int64)
  /// An entry of the newest life of a machine's log, or the next one that is there.
  case seq(Int64)
  /// The entries since a moment, in microseconds since 1970, and perhaps some before it.
  case time(Int64)
}
