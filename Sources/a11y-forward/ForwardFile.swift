// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yPosix
import A11yToml

extension LoadedCompanionSettings<ForwardSettings> {
  /// Reads the file that an option names, or else the usual one, without the secrets that others
  /// may read.
  init(forwarder option: String?) {
    self.init(name: "forward", option: option)
    if let file, settings.hasPasswords, !Self.isPrivate(file) {
      settings.removePasswords()
      complaints.append(Complaint(file, "passwords are left out: others may read the file"))
    }
    for file in settings.nats.secretFiles where !Self.isPrivate(file) {
      settings.removeSecret(file)
      complaints.append(Complaint(file, "left out: others may read the file, or it is not there"))
    }
  }

  private static func isPrivate(_ path: String) -> Bool {
    (try? File.isPrivateToUs(path)) ?? false
  }
}
