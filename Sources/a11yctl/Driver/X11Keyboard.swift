// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// Keys pressed in an X server, as if a person did it.
///
/// Its extension XTEST presses keys by their places, which the server is asked for. The registry of
/// AT-SPI presses keys for others, too, but by these very places, and cannot be asked for them: a
/// key could not be held by its name. Under Wayland a program can press keys for X programs alone,
/// so that is refused rather than done by halves.
struct X11Keyboard: ~Copyable {
  private let socket: FileDescriptor
  private let deadline: Deadline
  private let xtest: UInt8
  private let layout: KeyLayout

  /// The longest wait for the server.
  private static let patience: Duration = .seconds(2)
  /// The longest answer of a server, which has 248 keys of up to 255 meanings.
  private static let mostBytes = 262_144

  /// Connects to the X server that `DISPLAY` names.
  init(_ environment: (String) -> String?) throws(DriverRefusal) {
    guard environment("XDG_SESSION_TYPE") != "wayland" || environment("WAYLAND_DISPLAY") == nil
    else {
      throw Self.refusal("Wayland lets no program press keys for others. a11yctl driver run has X.")
    }
    guard let number = environment("DISPLAY").flatMap(Self.number) else {
      throw Self.refusal("There is no X server: DISPLAY names none of this machine.")
    }
    let deadline = Deadline(after: Self.patience)
    let opened = try Self.connect(number)
    let wire = X11Wire(deadline: deadline)
    let setup = try wire.open(opened, XAuthority(display: number, environment))
    let (low, high) = (setup[34], setup[35])
    let xtestAnswer = try wire.answer(X11Wire.queryExtension("XTEST"), opened)
    let map = try wire.answer([101, 0, 2, 0, low, high &- low &+ 1, 0, 0], opened)
    guard let xtestAnswer, xtestAnswer[8] == 1, let map, high >= low else {
      throw Self.refusal("The X server :\(number) lets nobody press its keys: it has no XTEST.")
    }
    self.deadline = deadline
    xtest = xtestAnswer[9]
    layout = KeyLayout(first: low, width: Int(map[1]), Array(map.dropFirst(32)))
    socket = opened
  }

  private static func connect(_ number: Int) throws(DriverRefusal) -> FileDescriptor {
    if let socket = try? UnixStream.connectAtOnce(path: "/tmp/.X11-unix/X\(number)") {
      return socket
    }
    throw refusal("The X server :\(number) does not answer.")
  }

  /// Presses keys in order, and releases them the other way round.
  borrowing func press(_ keys: [String]) throws(DriverRefusal) {
    var places: [UInt8] = []
    for key in keys {
      guard let sign = key.unicodeScalars.first, key.unicodeScalars.count == 1 else {
        throw DriverRefusal(.invalidArgument, "A key is one character; got \(key).")
      }
      guard let stroke = layout.stroke(KeyNames.symbol(of: sign)) else {
        let name = KeyNames.name(sign)
        throw DriverRefusal(.invalidArgument, "This keyboard has no key for \(name).")
      }
      let shift = layout.stroke(KeyNames.shift)?.place
      if stroke.isShifted, let shift, !places.contains(shift) { places.append(shift) }
      places.append(stroke.place)
    }
    let strokes = places.map { (UInt8(2), $0) } + places.reversed().map { (UInt8(3), $0) }
    let wire = X11Wire(deadline: deadline)
    let request = strokes.flatMap { kind, place in
      [xtest, 2, 9, 0, kind, place] + [UInt8](repeating: 0, count: 30)
    }
    // The answer to a question comes when the keys are through.
    guard try wire.answer(request + [43, 0, 1, 0], socket) != nil else {
      throw Self.refusal("The X server has refused the keys.")
    }
  }

  private static func refusal(_ words: String) -> DriverRefusal {
    DriverRefusal(.noKeyboard, words)
  }

  /// The number of a display of this machine, as in `:99` or `unix:0.0`.
  private static func number(_ display: String) -> Int? {
    let parts = display.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, ["", "unix"].contains(parts[0]) else { return nil }
    return Int(parts[1].prefix { $0 != "." })
  }
}

/// Requests and answers of X11, in the byte order of small machines.
private struct X11Wire {
  let deadline: Deadline

  static func queryExtension(_ name: String) -> [UInt8] {
    let padded = padded(Array(name.utf8))
    return [98, 0, UInt8(2 + padded.count / 4), 0, UInt8(name.utf8.count), 0, 0, 0] + padded
  }

  /// Opens the connection, and returns the server's word about itself.
  func open(
    _ socket: borrowing FileDescriptor,
    _ authority: XAuthority
  ) throws(DriverRefusal) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    var request: [UInt8] = [UInt8(ascii: "l"), 0] + number(11) + number(0)
    request += number(authority.name.count) + number(authority.data.count) + [0, 0]
    request += Self.padded(authority.name) + Self.padded(authority.data)
    try send(request, socket)
    let head = try read(8, socket)
    let body = try read(4 * (Int(head[6]) | Int(head[7]) << 8), socket)
    guard head[0] == 1, body.count >= 32 else {
      throw DriverRefusal(.noKeyboard, "The X server lets this user not connect.")
    }
    return head + body
  }

  /// The answer to a request; nil for an error.
  func answer(
    _ request: [UInt8],
    _ socket: borrowing FileDescriptor
  ) throws(DriverRefusal) -> [UInt8]? {
    try send(request, socket)
    while true {
      let head = try read(32, socket)
      if head[0] == 0 { return nil }
      // What is no answer is an event.
      guard head[0] == 1 else { continue }
      let words = (4...7).reversed().reduce(0) { $0 << 8 | Int(head[$1]) }
      return head + (try read(4 * words, socket))
    }
  }

  private func send(
    _ bytes: [UInt8],
    _ socket: borrowing FileDescriptor
  ) throws(DriverRefusal) {
    var sent = 0
    while sent < bytes.count {
      switch socket.send(bytes.span.extracting(sent...)) {
      case .sent(let count): sent += count
      case .wouldBlock: try wait(for: .writable, socket)
      case .failed: throw Self.gone
      }
    }
  }

  private func read(
    _ count: Int,
    _ socket: borrowing FileDescriptor
  ) throws(DriverRefusal) -> [UInt8] {
    guard count <= 262_144 else { throw Self.gone }
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    while got < count {
      let outcome = bytes.withUnsafeMutableBytes {
        socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[got...]))
      }
      switch outcome {
      case .bytes(let more): got += more
      case .wouldBlock: try wait(for: .readable, socket)
      case .ended, .failed: throw Self.gone
      }
    }
    return bytes
  }

  private func wait(
    for interest: Readiness,
    _ socket: borrowing FileDescriptor
  ) throws(DriverRefusal) {
    let ready = try? socket.waitReady(for: interest, timeoutMilliseconds: deadline.remaining)
    if ready?.isEmpty ?? true { throw Self.gone }
  }

  private static let gone = DriverRefusal(.noKeyboard, "The X server does not answer.")

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}

/// The word by which an X server knows its user; none where there is no file of them.
private struct XAuthority {
  private(set) var name: [UInt8] = []
  private(set) var data: [UInt8] = []

  private static let kind = Array("MIT-MAGIC-COOKIE-1".utf8)
  private static let mostBytes = 65_536

  init(display number: Int, _ environment: (String) -> String?) {
    let file = environment("XAUTHORITY") ?? environment("HOME").map { "\($0)/.Xauthority" } ?? ""
    guard let bytes = try? File.read(file, limit: Self.mostBytes) else { return }
    var rest = bytes[...]
    // The family of the address, and then four fields.
    while rest.count > 2 {
      rest = rest.dropFirst(2)
      let fields = (0..<4).map { _ in Self.field(&rest) }
      let isOurs = fields[1].isEmpty || fields[1] == Array("\(number)".utf8)
      guard isOurs, fields[2] == Self.kind else { continue }
      (name, data) = (fields[2], fields[3])
      return
    }
  }

  private static func field(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    guard let high = rest.popFirst(), let low = rest.popFirst() else { return [] }
    let field = Array(rest.prefix(Int(high) << 8 | Int(low)))
    rest = rest.dropFirst(field.count)
    return field
  }
}

/// The places of keys on a keyboard, by what they mean.
struct KeyLayout {
  /// A key's place, and whether it is pressed with Shift.
  struct Stroke: Equatable {
    let place: UInt8
    let isShifted: Bool
  }

  private var strokes: [UInt32: Stroke] = [:]

  /// Reads the map of a server: for each place a row of meanings, alone and with Shift first.
  init(first: UInt8, width: Int, _ bytes: [UInt8]) {
    guard width > 0 else { return }
    let symbols = stride(from: 0, to: bytes.count - 3, by: 4).map { at in
      bytes[at..<at + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for shifted in [false, true] {
      for (row, start) in stride(from: 0, to: symbols.count, by: width).enumerated() {
        let index = start + (shifted ? 1 : 0)
        guard index < min(start + width, symbols.count), symbols[index] != 0,
          strokes[symbols[index]] == nil
        else { continue }
        strokes[symbols[index]] = Stroke(place: first &+ UInt8(row), isShifted: shifted)
      }
    }
  }

  /// The stroke for a meaning; a capital may have its small letter's key.
  func stroke(_ symbol: UInt32) -> Stroke? {
    if let stroke = strokes[symbol] { return stroke }
    guard let scalar = Unicode.Scalar(symbol), scalar.properties.isUppercase,
      let small = strokes[Unicode.Scalar(scalar.properties.lowercaseMapping)?.value ?? 0]
    else { return nil }
    return Stroke(place: small.place, isShifted: true)
  }
}

/// What X11 calls the keys that WebDriver has characters for.
enum KeyNames {
  static let shift: UInt32 = 0xFFE1

  /// The symbols from U+E000 on; 0 for what is no key.
  private static let symbols: [UInt32] = [
    0, 0xFF69, 0xFF6A, 0xFF08, 0xFF09, 0xFF0B, 0xFF0D, 0xFF8D, shift, 0xFFE3, 0xFFE9, 0xFF13,
    0xFF1B, 0x20, 0xFF55, 0xFF56, 0xFF57, 0xFF50, 0xFF51, 0xFF52, 0xFF53, 0xFF54, 0xFF63, 0xFFFF,
    0x3B, 0x3D, 0xFFB0, 0xFFB1, 0xFFB2, 0xFFB3, 0xFFB4, 0xFFB5, 0xFFB6, 0xFFB7, 0xFFB8, 0xFFB9,
    0xFFAA, 0xFFAB, 0xFFAC, 0xFFAD, 0xFFAE, 0xFFAF, 0, 0, 0, 0, 0, 0, 0, 0xFFBE, 0xFFBF, 0xFFC0,
    0xFFC1, 0xFFC2, 0xFFC3, 0xFFC4, 0xFFC5, 0xFFC6, 0xFFC7, 0xFFC8, 0xFFC9, 0xFFEB, 0, 0, 0xFF2A,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFFE2, 0xFFE4, 0xFFEA, 0xFFEC, 0xFF9A, 0xFF9B,
    0xFF9C, 0xFF95, 0xFF96, 0xFF97, 0xFF98, 0xFF99, 0xFF9E, 0xFF9F,
  ]

  /// The symbol of a character.
  static func symbol(of sign: Unicode.Scalar) -> UInt32 {
    switch sign.value {
    case 0xE000..<0xE000 + UInt32(symbols.count): symbols[Int(sign.value) - 0xE000]
    case 0x08, 0x09, 0x0D, 0x1B: 0xFF00 | sign.value
    case 0x0A: 0xFF0D
    case 0x20...0x7E, 0xA0...0xFF: sign.value
    default: 0x100_0000 | sign.value
    }
  }

  /// A character as a sentence has it.
  static func name(_ sign: Unicode.Scalar) -> String {
    0xE000...0xE0FF ~= sign.value || sign.value < 0x21
      ? "U+\(String(sign.value, radix: 16, uppercase: true))" : "\(sign)"
  }
}
