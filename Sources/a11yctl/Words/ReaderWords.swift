// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

/// The screen readers of the bus, a sentence a line.
enum ReaderWords {
  static func sentences(_ readers: ConnectedReaders) -> [String] {
    let others = readers.all.filter { $0 != readers.owner }
    var lines = [status(readers)]
    if let owner = readers.owner { lines.append("\(owner.app) is the one that speaks.") }
    lines += others.map { reader in
      reader.rank == 0
        ? "\(reader.app) is there, too, to show what is said, and never speaks."
        : "\(reader.app) is there, too, and would speak if the other left."
    }
    return lines.map(VisibleText.of)
  }

  private static func status(_ readers: ConnectedReaders) -> String {
    switch (readers.isRunning, readers.owner) {
    case (true, .some): "The screen reader is on."
    case (true, nil): "The screen reader counts as on, but none that speaks is connected."
    case (false, .some): "The screen reader counts as off: only urgent announcements are kept."
    case (false, nil): "No screen reader that speaks is connected."
    }
  }
}
