// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
package import A11yPosix
import A11yToml
import A11yWire
import Systemd

/// What a daemon holds while it runs: its sockets, and the directory of its log.
///
/// A place that was set in a file and cannot be used is a mistake like any other: it is told, and
/// the default takes its place. A place that somebody else holds, or that the command line asked
/// for, ends the daemon instead.
struct ClaimedResources: ~Copyable {
  let doors: [Door]
  /// Whether there is one socket for all: it belongs to one user, whose windows they all are.
  var isOneUsers: Bool { doors.allSatisfy { $0.role == .bus } }
  /// The paths of the doors, for people.
  var socketPath: String {
    doors.map { $0.listener.path ?? "a socket without a path" }.joined(separator: " and ")
  }
  /// The sockets at which figures are asked for.
  let metrics: [UnixListener]
  let stateDirectory: String
  let lock: FileLock
  /// The places that were set and cannot be used.
  let complaints: [Complaint]

  /// A listening socket and what it lets its clients do.
  struct Door {
    let listener: UnixListener
    let role: Role
  }

  init(
    _ options: DaemonOptions,
    _ loaded: LoadedSettings,
    _ places: Places,
    _ report: OperatorReport
  ) throws(StartFault) {
    var complaints: [Complaint] = []
    var settings = loaded.settings
    // The doors first: a daemon that finds the socket taken must not have touched the log.
    var (doors, metrics) = try Self.inherited(report)
    if doors.isEmpty {
      let path = places.socket(option: options.socket, settings: settings)
      do throws(StartFault) {
        doors = [try Self.door(at: path)]
      } catch {
        guard error.kind == .socket, options.socket == nil, settings.server.socket != nil else {
          throw error
        }
        complaints.append(loaded.complaint(about: "server.socket", error.message))
        settings.server.socket = nil
        doors = [try Self.door(at: places.socket(option: nil, settings: settings))]
      }
    }
    var state = try Self.state(options, settings, places)
    var held: FileLock?
    do throws(StartFault) {
      held = try Self.hold(state)
    } catch {
      guard error.kind != .stateHeld, options.state == nil, settings.server.state != nil else {
        throw error
      }
      complaints.append(loaded.complaint(about: "server.state", error.message))
      settings.server.state = nil
      state = try Self.state(options, settings, places)
    }
    if let held { lock = held } else { lock = try Self.hold(state) }
    if let address = settings.server.metrics {
      do throws(Errno) {
        metrics.append(try UnixListener(adopting: address.listen()))
      } catch {
        let words = "cannot listen at \(address): \(error)"
        complaints.append(loaded.complaint(about: "server.metrics", words))
      }
    }
    self.doors = doors
    self.metrics = metrics
    stateDirectory = state
    self.complaints = complaints
  }

  private static func state(
    _ options: DaemonOptions,
    _ settings: Settings,
    _ places: Places
  ) throws(StartFault) -> String {
    guard let state = places.state(option: options.state, settings: settings) else {
      throw StartFault(
        .state,
        "There is no place for the log: give --state DIR, or set server.state, HOME or"
          + " STATE_DIRECTORY."
      )
    }
    return state
  }

  private static func hold(_ state: String) throws(StartFault) -> FileLock {
    let isPrivate: Bool
    do throws(Errno) {
      try Directory.create(state, mode: 0o700)
      isPrivate = try File.isPrivateToUs(state)
    } catch {
      throw unusable(state, error)
    }
    guard isPrivate else {
      throw StartFault(
        .notPrivate,
        "The state directory \(state) must be ours alone: chown it to us and chmod it to 0700.",
        path: state
      )
    }
    let attempt: FileLock.Attempt
    do throws(Errno) {
      attempt = try FileLock.acquire(directory: state, alsoThrough: "lock")
    } catch {
      throw unusable(state, error)
    }
    switch consume attempt {
    case .acquired(let lock):
      try refuseLaterFormat(in: state)
      return lock
    case .heldByAnother:
      throw StartFault(
        .stateHeld,
        "The state directory \(state) is in use by another a11yd.",
        path: state
      )
    }
  }

  /// Ends the start on a log of a later format, of which nothing is changed.
  private static func refuseLaterFormat(in state: String) throws(StartFault) {
    let later: LaterFormat?
    do throws(Errno) {
      later = try LaterFormat(on: KernelDisk(state))
    } catch {
      // Whatever cannot be read is told by the start itself.
      return
    }
    guard let later else { return }
    throw StartFault(
      .state,
      "The log in \(state) is left as it is, and no bus is started: \(later). Start that version,"
        + " or name another directory with --state.",
      path: state
    )
  }

  private static func unusable(_ state: String, _ error: Errno) -> StartFault {
    let words = "The state directory \(state) cannot be used: \(error)."
    return StartFault(.state, words, path: state, errno: error)
  }

  /// The sockets that systemd has opened, told apart by their names.
  private static func inherited(
    _ report: OperatorReport
  ) throws(StartFault) -> (doors: [Door], metrics: [UnixListener]) {
    let inherited: [ListenSocket]
    do throws(ListenSockets.Fault) {
      inherited = try ListenSockets.take(tcpName: metricsName)
    } catch {
      throw StartFault(.socket, "\(error)")
    }
    var doors: [Door] = []
    var metrics: [UnixListener] = []
    for socket in inherited {
      let descriptor = FileDescriptor(adopting: socket.number)
      let role = Role(rawValue: socket.name) ?? (inherited.count == 1 ? .bus : nil)
      guard role != nil || socket.name == metricsName else {
        report.say(
          .impaired,
          "systemd has handed over a socket named \(socket.name), which is none of bus, publish,"
            + " read, control, metrics; closing it."
        )
        continue
      }
      do throws(Errno) {
        let listener = try UnixListener(adopting: descriptor)
        if socket.name == metricsName {
          metrics.append(listener)
        } else if let role {
          doors.append(Door(listener: listener, role: role))
        }
      } catch {
        throw StartFault(
          .socket,
          "The socket \(socket.name) cannot be used: \(error).",
          path: socket.name,
          errno: error
        )
      }
    }
    guard !doors.isEmpty || inherited.count == metrics.count else {
      throw StartFault(.socket, "None of the sockets that systemd has handed over can be used.")
    }
    return (doors, metrics)
  }

  /// The name of inherited sockets with figures, which have no role: they know no operations.
  private static let metricsName = "metrics"

  /// A socket of our own.
  private static func door(at path: String) throws(StartFault) -> Door {
    do throws(Errno) {
      return Door(listener: try UnixListener(path: path, mode: 0o600), role: .bus)
    } catch .addressInUse {
      throw StartFault(
        .socketTaken,
        "Another a11yd answers at \(path): stop it, or give another --socket.",
        path: path
      )
    } catch {
      throw StartFault(.socket, "Cannot listen at \(path): \(error).", path: path, errno: error)
    }
  }
}

/// Why there is no daemon, for people, and how the process ends with it.
package struct StartFault: Error {
  /// The exit codes of sysexits that the contract names.
  package enum Kind: Int32 {
    case usage = 64
    case socket = 71
    case socketTaken = 73
    case state = 74
    case stateHeld = 75
    case notPrivate = 77
    /// Of `--check-config` alone: a mistake in a file keeps no daemon from starting.
    case configuration = 78
  }

  package let kind: Kind
  package let message: String
  /// The file, socket or directory that could not be used.
  package let path: String?
  /// The kernel's error, where it has refused something.
  package let errno: Errno?

  package init(_ kind: Kind, _ message: String, path: String? = nil, errno: Errno? = nil) {
    self.kind = kind
    self.message = message
    self.path = path
    self.errno = errno
  }
}

/// A file in the runtime directory that knows the last entry that has left in this boot.
///
/// A start that finds less in the log learns from it that somebody may have seen more: entries were
/// delivered that the disk did not take, or an older log was put back in the place of this one.
/// Where there is no runtime directory nothing is known.
final class LeftMark {
  /// The epoch in hex, and the seq.
  private let file: MappedFile?

  private static let epochBytes = 32
  private static let bytes = epochBytes + 8

  /// The mark of the log in this directory.
  init(of log: FileIdentity, in runtime: String?) {
    guard let runtime else {
      file = nil
      return
    }
    try? Directory.create(runtime, mode: 0o700)
    file = try? MappedFile("\(runtime)/left-\(log.device)-\(log.inode)", count: Self.bytes)
  }

  /// The last entry that has left; nil where the mark is new.
  var cursor: Cursor? {
    guard let file else { return nil }
    let hex = String(decoding: file.read(Self.epochBytes, at: 0), as: UTF8.self)
    guard let epoch = Epoch(hex: hex), let seq = Seq(stated: file.number(at: Self.epochBytes))
    else { return nil }
    return Cursor(epoch: epoch, seq: seq)
  }

  /// Begins the life of a bus, with nothing of it seen yet but what was before.
  func begin(_ cursor: Cursor) {
    // Between the two the epoch is none, so that a process killed here leaves no wrong pair.
    file?.write([0], at: 0)
    note(cursor.seq)
    file?.write(cursor.epoch.hex.utf8, at: 0)
  }

  /// Notes that entries up to this one are about to leave.
  func note(_ seq: Seq) { file?.write(seq.number, at: Self.epochBytes) }
}
