// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The version that a program tells.
enum ProgramVersion {
  /// The first line that `program` prints when it is asked.
  static func version(
    of program: String,
    _ question: String = "--version",
    in directory: String
  ) throws(BenchFailure) -> String {
    let output = directory + "/version"
    let child = try Child.start(program, [question], home: directory, standardOutput: output)
    // Some end with a code of their own after the question for help.
    _ = ChildOutput(readingFrom: child.standardError, of: program).waitUntilEnd(of: child.process)
    let line = Files.text(output)?.split(separator: "\n").first ?? "a version that it does not tell"
    // Redis goes on with the details of its build.
    return line.split(separator: " ").prefix { !$0.hasPrefix("sha=") }.joined(separator: " ")
  }

  static func version(of peer: Peer, in directory: String) throws(BenchFailure) -> String? {
    if peer == .sqlite { return Table.version }
    guard let name = peer.program, let path = PeerPrograms.installed(name) else { return nil }
    return try version(of: path, peer == .mosquitto ? "-h" : "--version", in: directory)
  }
}
