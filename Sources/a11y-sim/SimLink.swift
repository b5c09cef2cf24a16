// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix

/// A connection between a simulated client and the bus: two bounded pipes with moods.
///
/// As between real sockets, any number of bytes may go at a time, a client that does not read fills
/// its pipe, and what it had sent before it vanished can still be read.
final class SimLink {
  private let dice: Dice
  /// The bytes on their way to the bus, and to the client.
  private(set) var toBus = Pipe()
  private(set) var toClient = Pipe()
  /// The bytes that each pipe holds at most.
  private let room: Int
  /// Bytes go in pieces of any size; else as many as there are.
  private let isChoppy: Bool
  /// The machine has stopped: what the bus still does in this life reaches nobody.
  private let hasStopped: () -> Bool

  /// The client has said that it sends no more.
  private(set) var hasShut = false
  /// The client has closed in full.
  private(set) var isGone = false
  /// The client closes in full, and the bus has not been told yet: it finds out when it sends.
  private var isGoing = false
  /// The bus has let go of it.
  private(set) var isClosed = false

  /// The readiness that the bus watches for, and its name for the link.
  private(set) var interest: Readiness = []
  private(set) var token: UInt64?

  struct Pipe {
    private(set) var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }

    mutating func put(_ more: some Collection<UInt8>) { bytes += more }

    mutating func takeFirst(_ wanted: Int) -> ArraySlice<UInt8> {
      let taken = bytes[start..<start + min(wanted, count)]
      start += taken.count
      return taken
    }

    /// Gives memory back once all was taken.
    mutating func tidy() {
      if start == bytes.count {
        bytes.removeAll(keepingCapacity: true)
        start = 0
      }
    }

    mutating func clear() {
      bytes = []
      start = 0
    }
  }

  init(_ dice: Dice, room: Int, isChoppy: Bool, hasStopped: @escaping () -> Bool) {
    self.dice = dice
    self.room = room
    self.isChoppy = isChoppy
    self.hasStopped = hasStopped
  }

  /// The pipes take all that is put into them at any time.
  var isRoomy: Bool { !isChoppy && room >= 262_144 }

  // MARK: The client's end

  /// Gives the bus what the pipe has room for, and says how much that was.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    guard !isGone, !isClosed else { return 0 }
    let count = min(bytes.count, room - toBus.count)
    guard count > 0 else { return 0 }
    toBus.put(bytes.prefix(count))
    return count
  }

  /// Takes what the bus has sent, up to so many bytes.
  func read(_ wanted: Int) -> ArraySlice<UInt8> {
    toClient.tidy()
    return toClient.takeFirst(wanted)
  }

  func shut() { hasShut = true }

  func vanish() {
    if dice.chance(50) {
      isGoing = true
    } else {
      go()
    }
  }

  /// By the next turn the kernel tells that the client has gone.
  func pass() { if isGoing { go() } }

  private func go() {
    isGoing = false
    isGone = true
    toClient.clear()
  }

  // MARK: What a kernel would tell the bus

  /// For what the bus can be served now, of what it waits for.
  var readiness: Readiness {
    var ready: Readiness = []
    if isGone { ready.insert(.hangUp) }
    if interest.contains(.readable), toBus.count > 0 || hasShut || isGone {
      ready.insert(.readable)
    }
    if interest.contains(.writable), isGone || toClient.count < room { ready.insert(.writable) }
    return ready
  }

  /// The bus has let go of its end: what it had sent can still be read.
  func close() {
    // Of a machine that has stopped nobody hears any more.
    guard !hasStopped() else { return }
    isClosed = true
    interest = []
  }

  private func portion(of count: Int) -> Int {
    guard isChoppy, count > 1, dice.chance(60) else { return count }
    return dice.within(1...count)
  }
}

extension SimLink {
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnixStream.Received {
    pass()
    guard toBus.count > 0 else {
      if isGone { return dice.chance(30) ? .failed(.connectionReset) : .ended }
      return hasShut ? .ended : .wouldBlock
    }
    let taken = toBus.takeFirst(portion(of: min(toBus.count, buffer.count)))
    taken.withUnsafeBytes { buffer.copyMemory(from: $0) }
    let count = taken.count
    toBus.tidy()
    return .bytes(count)
  }

  func send(_ bytes: Span<UInt8>) -> UnixStream.Sent {
    pass()
    if isGone { return .failed(.brokenPipe) }
    if hasStopped() { return .sent(bytes.count) }
    let free = min(bytes.count, room - toClient.count)
    guard free > 0 else { return .wouldBlock }
    let count = portion(of: free)
    bytes.extracting(0..<count).withUnsafeBufferPointer { toClient.put($0) }
    return .sent(count)
  }

  func watch(for interest: Readiness, as token: UInt64) throws(Errno) {
    self.interest = interest
    self.token = token
  }
}

/// Takes files to the simulated medium when it is told to, as a thread would at a time of its own.
///
/// Bytes written between the request and the moment when the disk is really asked may be safe or
/// not; the bus must not count on them.
final class SimSyncing: Syncing {
  private let disk: SimDisk
  private var asked: (file: any DiskFile, isNew: Bool)?
  private var result: Result<Void, Errno>?
  /// Files beside the log, and what came of those that the disk was asked for.
  private var besides: [any DiskFile] = []
  private var results: [(file: any DiskFile, result: Result<Void, Errno>)] = []
  /// Says that all is well and does nothing: a fault of the harness that its oracle has to find.
  var lies = false

  init(_ disk: SimDisk) { self.disk = disk }

  func request(_ file: any DiskFile, isNew: Bool) -> Bool {
    guard asked == nil, result == nil else { return false }
    asked = (file, isNew)
    return true
  }

  func answer() -> Result<Void, Errno>? {
    defer { result = nil }
    return result
  }

  func bring(_ file: any DiskFile) -> Bool {
    besides.append(file)
    return true
  }

  func brought() -> (file: any DiskFile, result: Result<Void, Errno>)? {
    results.isEmpty ? nil : results.removeFirst()
  }

  func wait() -> Result<Void, Errno> {
    perform()
    return answer() ?? .failure(.inputOutput)
  }

  /// Somebody waits for an answer that is not there yet.
  var isAsked: Bool { asked != nil || !besides.isEmpty }

  var hasAnswer: Bool { result != nil || !results.isEmpty }

  /// Asks the disk.
  func perform() {
    for file in besides { results.append((file, synchronize(file))) }
    besides = []
    guard let asked else { return }
    self.asked = nil
    if lies {
      result = .success(())
      return
    }
    do throws(Errno) {
      var isNamed = true
      do throws(Errno) { try asked.file.synchronize() } catch .noSuchFile { isNamed = false }
      if asked.isNew { try disk.synchronizeNames() }
      result = isNamed ? .success(()) : .failure(.noSuchFile)
    } catch {
      result = .failure(error)
    }
  }

  private func synchronize(_ file: any DiskFile) -> Result<Void, Errno> {
    if lies { return .success(()) }
    do throws(Errno) {
      try file.synchronize()
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}
