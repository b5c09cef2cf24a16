// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The Debian packages on a machine of their own, from the installation to the purge.
///
/// `make test-deb` builds them twice, the second time with a higher version. Each test begins with
/// the older ones, which are installed anew.
@Suite(
  .serialized,
  .timeLimit(.minutes(hangs)),
  .enabled(
    if: ProcessInfo.processInfo.environment["A11Y_DEB"] != nil,
    "make test-deb runs the tests with packages"
  ),
  .enabled(if: BootedMachine.obstacle == nil, Comment(rawValue: BootedMachine.obstacle ?? ""))
)
struct PackageTests {
  private let machine: BootedMachine
  /// The seconds that the processor has worked for the installation.
  private let work: Double

  private static let sockets = [
    "a11yd-publish.socket", "a11yd-read.socket", "a11yd-control.socket",
  ]

  init() throws {
    machine = try BootedMachine.bare.get()
    try DebianPackages.renew(on: machine)
    let install = DebianPackages.installation(of: "deb")
    let times = try machine.run("bash", "-c", "TIMEFORMAT='%U %S'; time \(install)")
    work = times.split(separator: " ").compactMap { Double($0) }.reduce(0, +)
    // The index of all manual pages of the machine is its own affair, and not counted.
    try machine.run("dpkg", "--triggers-only", "--pending")
  }

  /// The states of units, one after the other.
  private func states(_ question: String, _ units: [String]) throws -> [Substring] {
    // systemctl ends with an error where none is active.
    let line = "systemctl \(question) \(units.joined(separator: " ")) || true"
    return try machine.run("sh", "-c", line).split(separator: "\n")
  }

  /// Starts the daemon of the session and that of the machine, by their sockets.
  private func startBoth() throws -> (session: LineClient, machine: LineClient) {
    try machine.asTester("systemctl", "--user", "daemon-reload")
    try machine.asTester("systemctl", "--user", "enable", "--now", "a11yd.socket")
    try machine.run("sh", "-c", "systemctl enable --now \(Self.sockets.joined(separator: " "))")
    let clients = (
      session: try LineClient(machine.testersSocket),
      machine: try LineClient(machine.path("/run/a11yd/publish.sock"))
    )
    #expect(try clients.session.isAnswered())
    #expect(try clients.machine.isAnswered())
    return clients
  }

  @Test func `an installation takes five seconds of work at most, and starts nothing`() throws {
    #expect(work > 0 && work <= 5, "\(work) s")
    let units = Self.sockets + ["a11y-forward.service"]
    #expect(try states("is-active", units + ["a11yd.service"]).allSatisfy { $0 == "inactive" })
    #expect(try states("is-enabled", units).allSatisfy { $0 == "disabled" })
    #expect(try machine.run("a11yctl", "--version").hasPrefix("a11yctl "))
    #expect(try machine.run("man", "-w", "a11y-speech") != "")
    #expect(try machine.run("/usr/bin/python3", "-c", "import a11y_bus") == "")
    #expect(try machine.run("pkg-config", "--libs", "a11y").contains("-la11y"))
    #expect(try machine.run("id", "-nu", "a11y-forward") == "a11y-forward")
  }

  @Test func `an upgrade gives everybody the new daemon, and no client loses a word`() throws {
    _ = try startBoth()
    let (session, all) = try (machine.property("MainPID"), machinesPID())
    try machine.run("sh", "-c", "echo '# mine' >> /etc/a11yd/a11yd.toml")
    let tail = "echo $$; exec a11yctl tail --json --type announcement 2>/dev/null"
    let (_, lines) = try machine.testersCommand(["sh", "-c", tail]).beginReading()
    let reader = try #require(lines.next())
    #expect(lines.next()?.contains("caught-up") == true)

    let upgrade = try machine.begin("sh", "-c", DebianPackages.installation(of: "deb-next"))
    var published: [Int] = []
    repeat {
      // Connecting throws where it is refused. An old daemon may take leave instead of answering.
      _ = try LineClient(machine.path("/run/a11yd/publish.sock")).isAnswered()
      published += try publish(to: LineClient(machine.testersSocket))
    } while upgrade.isRunning
    published += try publish(to: LineClient(machine.testersSocket))

    #expect(upgrade.terminationStatus == 0)
    let heard = try hear(lines, until: #require(published.last))
    try machine.run("kill", reader)
    #expect(Set(published).subtracting(heard) == [])
    #expect(heard == heard.sorted() && Set(heard).count == heard.count)
    #expect(try machine.property("MainPID") != session)
    #expect(try machinesPID() != all)
    #expect(try machine.run("dpkg-query", "-W", "-f=${Version}", "a11yd").contains("+1~"))
    #expect(try machine.run("tail", "-n", "1", "/etc/a11yd/a11yd.toml") == "# mine")
  }

  @Test func `a removal ends the daemons, and keeps settings and logs`() throws {
    let clients = try startBoth()

    try machine.run("dpkg", "--remove", "a11y-readers", "a11y-forward", "a11yd")

    // A daemon says farewell, and closes.
    #expect(try clients.session.next()?["bye"] != nil)
    #expect(try clients.session.next() == nil)
    #expect(try clients.machine.next()?["bye"] != nil)
    #expect(try machine.run("find", "/etc/a11yd", "-type", "f") == "/etc/a11yd/a11yd.toml")
    #expect(try machine.run("find", "/var/lib/a11yd", "-name", "*.ndjson") != "")
    #expect(try machine.run("find", "/run", "-name", "*.sock", "-path", "*/run/a11yd/*") == "")
  }

  @Test func `a purge leaves the logs of users, and nothing else`() throws {
    _ = try startBoth()

    try machine.run("sh", "-c", "dpkg --purge \(DebianPackages.names.joined(separator: " "))")

    let folders = ["/etc", "/run", "/usr", "/var/lib/a11yd", "/var/lib/systemd"]
    let find = "find \(folders.joined(separator: " ")) -name 'a11y*' -not -path '*/a11yd-test*'"
    // What dpkg still knows belongs to another package: GTK has tests of such names.
    let unowned = #"while read -r file; do dpkg --search "$file" || echo "left $file"; done"#
    let left = try machine.run("sh", "-c", "\(find) 2>/dev/null | \(unowned) 2>/dev/null")
      .split(separator: "\n").filter { $0.hasPrefix("left ") }.map { $0.dropFirst(5) }
    // The session's directory of sockets goes with the session, and the tester is ours.
    let expected = [
      "/run/user/4711/a11yd", "/etc/sysusers.d/a11y-tester.conf",
      "/var/lib/systemd/linger/a11y-tester",
    ]
    #expect(Set(left.map(String.init)).subtracting(expected) == [])
    #expect(left.contains("/etc/sysusers.d/a11y-tester.conf"))
    #expect(try machine.run("sh", "-c", "ls /var/lib/a11y-tester/.local/state/a11yd") != "")
  }

  private func machinesPID() throws -> String {
    try machine.run("systemctl", "show", "--value", "--property", "MainPID", "a11yd.service")
  }

  /// Announces something, and returns its seq, if the daemon has answered.
  private func publish(to client: LineClient) throws -> [Int] {
    let event = #"{"type":"announcement","text":"Saved"}"#
    let reply = try client.ask(#"{"id":1,"op":"publish","event":\#(event)}"#)
    return [(reply?["ok"] as? [String: Any])?["seq"] as? Int].compactMap(\.self)
  }

  /// The seqs of the entries that come, up to this one.
  private func hear(_ lines: Lines, until last: Int) throws -> [Int] {
    var heard: [Int] = []
    while heard.last.map({ $0 < last }) ?? true, let line = lines.next() {
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if let seq = entry?["seq"] as? Int { heard.append(seq) }
    }
    return heard
  }
}
