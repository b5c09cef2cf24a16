// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import Glibc

/// A directory in memory with the manners of a real one, when the power goes too.
///
/// Content is safe after `synchronize`, names are after `synchronizeNames`, and neither says
/// anything of the other. Every call is counted, and can be the one that fails, does half its work,
/// or is the machine's last: from then on the disk is frozen, nothing that is asked of it has an
/// effect, and whoever drives the run looks at `isFrozen` and throws the process away.
final class SimDisk: Disk {
  /// The file or folder that a name stands for.
  enum Node {
    case file(FileImage)
    case folder
    /// A pipe, a link, a device: nothing that can be read.
    case other

    fileprivate func isSame(_ other: Node) -> Bool {
      switch (self, other) {
      case (.file(let a), .file(let b)): a === b
      case (.folder, .folder), (.other, .other): true
      default: false
      }
    }
  }

  private enum NameChange {
    case bind(String, Node)
    case unbind(String)
    case rename(String, String)
  }

  let dice: Dice
  /// The wall clock, which files are stamped with.
  var wall: Int64 = 0
  /// The names as a program sees them, and as they are on the medium.
  private(set) var seen: [String: Node] = [:]
  private(set) var durable: [String: Node] = [:]
  private var pending: [NameChange] = []

  /// How many bytes fit; nil for no bound.
  var capacity: Int?
  var faults: [DiskFault] = []
  /// The call that is the last one, counted from 1.
  var lastCall: Int?
  private(set) var calls = 0
  private(set) var isFrozen = false
  /// Calls that failed as planned, and not because of what was asked.
  private(set) var misfortunes = 0
  /// Those of them that have kept somebody from reading.
  private(set) var unread = 0
  /// The life of the process that uses it; files that an earlier one has opened are dead.
  fileprivate private(set) var life = 0

  /// The files that were ever made.
  private var births: UInt64 = 0

  init(_ dice: Dice) { self.dice = dice }

  /// Another disk with the same content, all of it on the medium.
  init(copying other: SimDisk, _ dice: Dice) {
    self.dice = dice
    wall = other.wall
    births = other.births
    for (name, node) in other.seen {
      seen[name] =
        if case .file(let image) = node { .file(Self.copy(image)) } else { node }
    }
    durable = seen
  }

  private func bear() -> FileBirth {
    births += 1
    return FileBirth(inode: births, nanoseconds: births)
  }

  private static func copy(_ image: FileImage) -> FileImage {
    let copy = FileImage(image.birth, durable: image.seen)
    copy.modified = image.modified
    return copy
  }

  // MARK: The protocol

  func names(in folder: String?) throws(Errno) -> [String] {
    try enter(.names)
    guard let folder else { return seen.keys.filter { !$0.contains("/") }.sorted() }
    guard let node = seen[folder] else { throw .noSuchFile }
    guard case .folder = node else { throw .notDirectory }
    let start = folder + "/"
    return seen.keys.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
      .sorted()
  }

  func measure(_ name: String) throws(Errno) -> DiskEntry {
    try enter(.measure)
    switch try node(name) {
    case .file(let image):
      return DiskEntry(
        kind: .file,
        size: Int64(image.seen.count),
        modifiedMicroseconds: image.modified
      )
    case .folder, .other: return DiskEntry(kind: .other, size: 0, modifiedMicroseconds: wall)
    }
  }

  func open(_ name: String) throws(Errno) -> any DiskFile {
    try enter(.open)
    return try file(name, isWritable: false)
  }

  func openInPlace(_ name: String) throws(Errno) -> any DiskFile {
    try enter([.open, .openInPlace])
    return try file(name, isWritable: true)
  }

  func create(_ name: String) throws(Errno) -> any DiskFile {
    let isLast = try enter(.create, mayBeLast: true)
    guard seen[name] == nil else { throw .fileExists }
    try checkFolder(of: name)
    if isLast, dice.chance(50) { throw .inputOutput }
    let image = FileImage(bear())
    image.modified = wall
    bind(name, .file(image))
    if isLast { throw .inputOutput }
    return SimFile(image, of: self, isWritable: true)
  }

  func rename(_ name: String, to other: String) throws(Errno) {
    let isLast = try enter(.rename, mayBeLast: true)
    let node = try node(name)
    try checkFolder(of: other)
    if isLast, dice.chance(50) { throw .inputOutput }
    if case .folder? = seen[other] { throw .isDirectory }
    seen[name] = nil
    seen[other] = node
    pending.append(.rename(name, other))
    if isLast { throw .inputOutput }
  }

  func remove(_ name: String) throws(Errno) {
    let isLast = try enter(.remove, mayBeLast: true)
    if case .folder = try node(name) { throw .isDirectory }
    if isLast, dice.chance(50) { throw .inputOutput }
    seen[name] = nil
    pending.append(.unbind(name))
    if isLast { throw .inputOutput }
  }

  func makeFolder(_ name: String) throws(Errno) {
    let isLast = try enter(.makeFolder, mayBeLast: true)
    if let node = seen[name] {
      guard case .folder = node else { throw .notDirectory }
      return
    }
    if isLast, dice.chance(50) { throw .inputOutput }
    bind(name, .folder)
    if isLast { throw .inputOutput }
  }

  func synchronizeNames() throws(Errno) {
    let isLast = try enter(.synchronizeNames, mayBeLast: true)
    if isLast, dice.chance(50) { throw .inputOutput }
    durable = seen
    pending.removeAll()
    if isLast { throw .inputOutput }
  }

  // MARK: Calls

  /// Counts a call; throws where it fails as planned, or comes too late.
  ///
  /// True when it is the last one of this life, which may have had its effect or not.
  @discardableResult
  fileprivate func enter(_ call: DiskCall, mayBeLast: Bool = false) throws(Errno) -> Bool {
    guard !isFrozen else { throw .inputOutput }
    calls += 1
    if calls == lastCall {
      isFrozen = true
      guard mayBeLast else { throw .inputOutput }
      return true
    }
    for index in faults.indices {
      guard case .fails(let error) = faults[index].effect, faults[index].strikes(call) else {
        continue
      }
      misfortunes += 1
      if !call.isDisjoint(with: .reading) { unread += 1 }
      throw error
    }
    return false
  }

  /// How much of so many bytes a call handles.
  fileprivate func portion(of count: Int, _ call: DiskCall) -> Int {
    for index in faults.indices where faults[index].effect == .isShort {
      if faults[index].strikes(call), count > 1 { return dice.within(1...count - 1) }
    }
    return count
  }

  /// Bytes in all files.
  var used: Int {
    var used = 0
    for case .file(let image) in seen.values { used += image.seen.count }
    return used
  }

  fileprivate func hasName(_ image: FileImage) -> Bool {
    seen.values.contains { if case .file(let named) = $0 { named === image } else { false } }
  }

  fileprivate var free: Int { capacity.map { max(0, $0 - used) } ?? .max }

  fileprivate func noteMisfortune() { misfortunes += 1 }

  private func node(_ name: String) throws(Errno) -> Node {
    guard let node = seen[name] else { throw .noSuchFile }
    return node
  }

  private func file(_ name: String, isWritable: Bool) throws(Errno) -> SimFile {
    guard case .file(let image) = try node(name) else { throw .invalidArgument }
    return SimFile(image, of: self, isWritable: isWritable)
  }

  private func checkFolder(of name: String) throws(Errno) {
    guard let slash = name.lastIndex(of: "/") else { return }
    guard case .folder? = seen[String(name[..<slash])] else { throw .noSuchFile }
  }

  private func bind(_ name: String, _ node: Node) {
    seen[name] = node
    pending.append(.bind(name, node))
  }

  // MARK: Memory

  /// The machine needs its memory: what a failed synchronization has left there is gone.
  func evict() {
    for case .file(let image) in seen.values { image.evict() }
  }

  // MARK: The end of a life

  /// The process is gone; all that it has done stays.
  func killProcess() { endLife() }

  /// The machine is shut down in order and comes back: all that was on its way has come to the
  /// medium, and what is read is what the medium has.
  func restartMachine() {
    pending.removeAll()
    durable = seen
    for case .file(let image) in seen.values {
      image.synchronize()
      image.evict()
    }
  }

  /// The power is gone, and with it any part of what was on its way to the medium: in one way for
  /// all of it, or in ways of their own.
  func losePower(_ loss: FileImage.Loss? = nil) {
    loseNames(loss ?? dice.pick(FileImage.Loss.allCases))
    for name in seen.keys.sorted() {
      guard case .file(let image)? = seen[name] else { continue }
      image.losePower(dice, loss ?? dice.pick(FileImage.Loss.allCases))
    }
    endLife()
  }

  private func endLife() {
    life += 1
    isFrozen = false
    lastCall = nil
    calls = 0
  }

  private func loseNames(_ loss: FileImage.Loss) {
    let end = dice.below(pending.count + 1)
    for (index, change) in pending.enumerated() {
      let isKept =
        switch loss {
        case .nothing: true
        case .everything: false
        case .tail: index < end
        case .anything: dice.chance(50)
        }
      if isKept { carryOut(change) }
    }
    pending.removeAll()
    // Nothing is below a folder that is not there.
    for name in durable.keys {
      guard let slash = name.lastIndex(of: "/") else { continue }
      if durable[String(name[..<slash])] == nil { durable[name] = nil }
    }
    seen = durable
  }

  private func carryOut(_ change: NameChange) {
    switch change {
    case .bind(let name, let node): durable[name] = node
    case .unbind(let name): durable[name] = nil
    case .rename(let name, let other):
      // Its old name may never have come to the medium; then the node is the one seen so far.
      guard let node = durable.removeValue(forKey: name) ?? boundLater(name) else { return }
      durable[other] = node
    }
  }

  /// A node that was bound to the name at some time since the names last came to the medium.
  private func boundLater(_ name: String) -> Node? {
    for case .bind(let bound, let node) in pending.reversed() where bound == name { return node }
    return nil
  }
}

// Damage that time and people do to a disk while nobody uses it.
extension SimDisk {
  /// Ends all faults, and the disk is not full any more.
  func recover() {
    faults = []
    capacity = nil
  }

  /// The content of a file; nil where there is none.
  func content(_ name: String) -> [UInt8]? {
    guard case .file(let image)? = seen[name] else { return nil }
    return image.seen
  }

  /// The file's bytes as a power cut would leave them with everything lost; nil where its name
  /// would be lost too.
  func durableContent(_ name: String) -> [UInt8]? {
    guard case .file(let image)? = durable[name] else { return nil }
    return image.durable
  }

  var fileNames: [String] {
    seen.keys.filter { if case .file? = seen[$0] { true } else { false } }.sorted()
  }

  /// Every file with what is seen of it and what the medium has.
  var summary: String {
    fileNames.map { name in
      let safe = durableContent(name).map { "\($0.count)" } ?? "no name"
      return "\(name) \(content(name)?.count ?? 0)/\(safe)"
    }.joined(separator: ", ")
  }

  func rot(_ name: String, _ change: (inout [UInt8]) -> Void) {
    guard case .file(let image)? = seen[name] else { return }
    image.rot(change)
  }

  /// Puts something under a name, in the place of what was there.
  func plant(_ name: String, _ node: Node?) {
    seen[name] = node
    durable[name] = node
  }

  func plant(_ name: String, bytes: [UInt8]) {
    let birth = if case .file(let old)? = seen[name] { old.birth } else { bear() }
    let image = FileImage(birth, durable: bytes)
    image.modified = wall
    plant(name, .file(image))
  }

  func swap(_ name: String, _ other: String) {
    let (a, b) = (seen[name], seen[other])
    plant(name, b)
    plant(other, a)
  }
}

/// An open file of a simulated disk.
final class SimFile: DiskFile {
  private let image: FileImage
  private let disk: SimDisk
  private let isWritable: Bool
  private let life: Int

  fileprivate init(_ image: FileImage, of disk: SimDisk, isWritable: Bool) {
    self.image = image
    self.disk = disk
    self.isWritable = isWritable
    life = disk.life
  }

  var number: Int32? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
    try enter(.read)
    guard offset >= 0 else { throw .invalidArgument }
    let start = min(Int(offset), image.seen.count)
    let count = min(image.seen.count - start, buffer.count)
    guard count > 0 else { return 0 }
    let portion = disk.portion(of: count, .read)
    image.seen.withUnsafeBytes { bytes in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + portion]))
    }
    return portion
  }

  func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) -> Int {
    let isLast = try enter(.write, mayBeLast: true)
    guard isWritable else { throw .badFileDescriptor }
    guard offset >= 0 else { throw .invalidArgument }
    guard bytes.count > 0 else { return 0 }
    if isLast {
      // The last that this life wrote: all, nothing, or up to any byte.
      let count = [0, bytes.count, disk.dice.below(bytes.count + 1)][disk.dice.below(3)]
      image.writePending(bytes.extracting(0..<count), at: Int(offset))
      throw .inputOutput
    }
    var portion = disk.portion(of: bytes.count, .write)
    let growth = Int(offset) + portion - image.seen.count
    if growth > 0 {
      let excess = growth - disk.free
      if excess > 0 {
        portion -= excess
        guard portion > 0 else {
          disk.noteMisfortune()
          throw .noSpace
        }
      }
    }
    image.writePending(bytes.extracting(0..<portion), at: Int(offset))
    image.modified = disk.wall
    return portion
  }

  func truncate(to size: Int64) throws(Errno) {
    let isLast = try enter(.truncate, mayBeLast: true)
    guard isWritable else { throw .badFileDescriptor }
    guard size >= 0 else { throw .invalidArgument }
    if isLast, disk.dice.chance(50) { throw .inputOutput }
    image.truncate(to: Int(size))
    image.modified = disk.wall
    if isLast { throw .inputOutput }
  }

  func birth() -> FileBirth? { image.birth }

  func size() throws(Errno) -> Int64 {
    try enter(.size)
    return Int64(image.seen.count)
  }

  func synchronize() throws(Errno) {
    do throws(Errno) {
      let isLast = try enter(.synchronize, mayBeLast: true)
      if isLast, disk.dice.chance(50) { throw .inputOutput }
      image.synchronize()
      if isLast { throw .inputOutput }
      guard disk.hasName(image) else { throw .noSuchFile }
    } catch .noSuchFile {
      throw .noSuchFile
    } catch {
      if !disk.isFrozen, life == disk.life { image.loseTrack(disk.dice) }
      throw error
    }
  }

  @discardableResult
  private func enter(_ call: DiskCall, mayBeLast: Bool = false) throws(Errno) -> Bool {
    guard life == disk.life else { throw .badFileDescriptor }
    return try disk.enter(call, mayBeLast: mayBeLast)
  }
}

/// The kinds of calls that a disk gets.
struct DiskCall: OptionSet, Hashable {
  let rawValue: Int

  static let names = DiskCall(rawValue: 1 << 0)
  static let measure = DiskCall(rawValue: 1 << 1)
  static let open = DiskCall(rawValue: 1 << 2)
  static let create = DiskCall(rawValue: 1 << 3)
  static let rename = DiskCall(rawValue: 1 << 4)
  static let remove = DiskCall(rawValue: 1 << 5)
  static let makeFolder = DiskCall(rawValue: 1 << 6)
  static let synchronizeNames = DiskCall(rawValue: 1 << 7)
  static let read = DiskCall(rawValue: 1 << 8)
  static let write = DiskCall(rawValue: 1 << 9)
  static let truncate = DiskCall(rawValue: 1 << 10)
  static let size = DiskCall(rawValue: 1 << 11)
  static let synchronize = DiskCall(rawValue: 1 << 12)

  static let all = DiskCall(rawValue: (1 << 13) - 1)
  static let reading: DiskCall = [.names, .measure, .open, .read, .size]
  static let changing: DiskCall = [
    .create, .rename, .remove, .makeFolder, .write, .truncate, .openInPlace,
  ]
  /// Opening to write; counts as `open` too.
  static let openInPlace = DiskCall(rawValue: 1 << 13)
}

/// A misfortune that is planned: which call of which kind, how it ends, and whether all after it
/// do.
struct DiskFault {
  enum Effect: Equatable {
    case fails(Errno)
    /// A read or a write does less than it was asked to.
    case isShort
  }

  let effect: Effect
  /// The calls that it may strike; of these only the ones that can have the effect.
  let calls: DiskCall
  /// So many possible calls go well before.
  let after: Int
  let isLasting: Bool
  /// Calls that it could have struck so far.
  private var passed = 0

  init(_ effect: Effect, calls: DiskCall, after: Int, isLasting: Bool) {
    self.effect = effect
    self.calls = calls.intersection(Self.possible(effect))
    self.after = after
    self.isLasting = isLasting
  }

  mutating func strikes(_ call: DiskCall) -> Bool {
    guard !calls.isDisjoint(with: call) else { return false }
    passed += 1
    return isLasting ? passed > after : passed == after + 1
  }

  /// The calls that a kernel may answer with this effect.
  private static func possible(_ effect: Effect) -> DiskCall {
    switch effect {
    case .isShort: [.read, .write]
    case .fails(.noSpace), .fails(.diskQuotaExceeded):
      [.create, .makeFolder, .rename, .write, .synchronize, .synchronizeNames]
    case .fails(.readOnlyFileSystem): DiskCall.changing
    case .fails(.fileTooLarge): [.write, .truncate]
    case .fails: .all
    }
  }
}

extension Errno {
  static let interrupted = Errno(rawValue: EINTR)
}
