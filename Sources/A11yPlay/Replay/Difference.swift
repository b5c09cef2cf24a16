// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
package import A11yWire

/// An event that ends otherwise with other rules.
package struct Difference: Equatable, Sendable {
  package let seq: Seq
  /// Nil where it did not end at all.
  package let was: WhatIf.Ending?
  package let now: WhatIf.Ending?

  /// Two ends are the same that have the same result through the same event: by which rule, and how
  /// long something has waited, is another matter.
  init?(_ seq: Seq, was: WhatIf.Ending?, now: WhatIf.Ending?) {
    guard was?.result != now?.result || was?.by != now?.by else { return nil }
    self.seq = seq
    self.was = was
    self.now = now
  }

  /// Appends the line that tells it to a program.
  package func write(into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "seq", seq.number)
    out.append(member: "was")
    if let was { out.append(was.text.span) } else { out.append("null") }
    out.append(member: "now")
    if let now { out.append(now.text.span) } else { out.append("null") }
    out.append("}")
  }
}

extension WhatIf.Ending {
  /// Whether anybody has heard of the event, or a part of it.
  package var isHeard: Bool {
    switch result {
    case .heard, .interrupted: true
    case .coalesced, .duplicate, .superseded, .inhibited, .summarised, .expired, .denied,
      .undeliverable, .cancelled, .handled, .unhandled:
      false
    }
  }
}
