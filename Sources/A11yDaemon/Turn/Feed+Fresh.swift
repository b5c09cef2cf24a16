// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker

extension Feed {
  /// The lines that the last turn has appended, which need not be read from the file.
  struct Fresh: ~Escapable {
    let lines: Span<UInt8>
    let start: Int64
    /// The secret texts that live readers are told beside the lines.
    let secrets: [Secret]

    @_lifetime(copy lines)
    init(lines: Span<UInt8>, start: Int64, secrets: [Secret]) {
      self.lines = lines
      self.start = start
      self.secrets = secrets
    }
  }
}
