// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The ways to show an engine one's identity, with real servers that ask for it.
@Suite(.timeLimit(.minutes(hangs)), .fleet)
struct CredentialTests {
  enum Way: String, CaseIterable {
    case natsUser, natsToken, natsKey, natsCertificate, redisUser, redisPassword

    var kind: EngineServer.Kind { rawValue.hasPrefix("nats") ? .nats : .redis }
  }

  /// The example of a key pair in the documentation of NATS.
  private static let publicKey = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
  private static let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"

  private let files: ScratchDirectory

  init() throws { files = try ScratchDirectory() }

  private func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
    try Data(text.utf8).write(to: URL(filePath: files(name)))
    try #require(chmod(files(name), mode) == 0)
  }

  private func openssl(_ words: String) throws {
    _ = try Command("/usr/bin/openssl", words.split(separator: " ").map(String.init)).output()
  }

  /// An authority of one's own, and a certificate of it for the server or for a client.
  private func makeCertificates() throws {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    let (secret, own) = (files("ca.key"), files("ca.pem"))
    try openssl("req -x509 \(key) -days 2 -subj /CN=authority -keyout \(secret) -out \(own)")
    try write("names", "subjectAltName = IP:127.0.0.1\n")
    for name in ["server", "client"] {
      let (request, secret) = (files("\(name).csr"), files("\(name).key"))
      try openssl("req -new \(key) -subj /CN=\(name) -keyout \(secret) -out \(request)")
      try openssl(
        "x509 -req -in \(request) -CA \(files("ca.pem")) -CAkey \(files("ca.key")) -CAcreateserial"
          + " -days 2 -extfile \(files("names")) -out \(files("\(name).pem"))"
      )
      try #require(chmod(secret, 0o600) == 0)
    }
  }

  /// The words for the server, and the table for the client.
  private func prepare(_ way: Way) throws -> (server: [String], table: String) {
    switch way {
    case .natsUser:
      return (["--user", "desk", "--pass", "s3"], "user = \"desk\"\npassword = \"s3\"")
    case .natsToken: return (["--auth", "s3"], "password = \"s3\"")
    case .natsKey:
      try write("seed", Self.seed)
      try write("nats.conf", "authorization: { users: [ { nkey: \(Self.publicKey) } ] }\n")
      return (
        ["-c", files("nats.conf")], "nkey = \"\(Self.publicKey)\"\nseed = \"\(files("seed"))\""
      )
    case .natsCertificate:
      try makeCertificates()
      return (
        [
          "--tlsverify", "--tlscert", files("server.pem"), "--tlskey", files("server.key"),
          "--tlscacert", files("ca.pem"),
        ],
        """
        tls = true
        authority = "\(files("ca.pem"))"
        certificate = "\(files("client.pem"))"
        key = "\(files("client.key"))"
        """
      )
    case .redisUser:
      try write("users", "user default off\nuser desk on >s3 ~a11yd:* &* +@all\n")
      return (["--aclfile", files("users")], "user = \"desk\"\npassword = \"s3\"")
    case .redisPassword: return (["--requirepass", "s3"], "password = \"s3\"")
    }
  }

  @Test(arguments: Way.allCases.filter { $0.kind.obstacle == nil })
  func `the log goes and comes with the right identity, and not without`(way: Way) throws {
    let (server, table) = try prepare(way)
    try write("forward.toml", "[forward]\nsend = \"all\"\n[\(way.kind)]\n\(table)\n")
    let config = ["--config", files("forward.toml")]
    let rig = try ForwardRig(way.kind, config, engine: server)
    try rig.announce(20)
    _ = try rig.forwarder.line(containing: "sending the log")
    let cat = Command(
      SpeechTools.built("a11yctl"),
      ["fleet", "cat", "m-1", "--json", "--from", rig.engine.address]
    )
    try waitUntil("the log; it said: \(rig.forwarder.said)") {
      try Command(cat.program, cat.arguments + config).run()
        == (0, rig.logged().joined(separator: "\n"))
    }

    let refused = try cat.run()

    #expect(refused.status == 69)
    #expect(refused.output.contains("cannot be read"))
    #expect(!refused.output.contains("s3"))
  }

  @Test func `a file with a secret that others may read is left out`() throws {
    try #require(EngineServer.Kind.nats.obstacle == nil)
    let (server, table) = try prepare(.natsKey)
    try write("forward.toml", "[forward]\nsend = \"all\"\n[nats]\n\(table)\n")
    try write("seed", Self.seed, mode: 0o644)
    let rig = try ForwardRig(.nats, ["--config", files("forward.toml")], engine: server)

    _ = try rig.forwarder.line(containing: "seed: left out: others may read the file")
    _ = try rig.forwarder.line(containing: "waiting for the engine")
    #expect(!rig.forwarder.said.contains(Self.seed))
  }
}
