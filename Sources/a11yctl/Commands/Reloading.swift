// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yToml
import A11yWire

/// Having the bus read its configuration and its rules again, and waiting until it has.
struct Reloading {
  let path: String

  /// The mistakes for which the bus has taken nothing over; nil where all is in force.
  func mistakes() throws(Failure) -> Complaints? {
    let answer = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("reload")
    }
    guard let problems = answer["problems"]?.list, !problems.isEmpty else { return nil }
    return Complaints(problems.map(Self.complaint))
  }

  private static func complaint(_ problem: JSONValue) -> Complaint {
    Complaint(
      problem["file"]?.string ?? "",
      line: problem["line"]?.integer.flatMap(Int.init(exactly:)),
      column: problem["column"]?.integer.flatMap(Int.init(exactly:)),
      problem["msg"]?.string ?? ""
    )
  }
}
