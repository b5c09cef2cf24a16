// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yPosix
import A11yToml

/// The file of settings, without the secrets that others may read.
struct ForwardFile {
  let settings: ForwardSettings
  let complaints: [Complaint]

  private static let name = "forward"

  /// Reads the file that an option names, or else the usual one.
  init(_ option: String?) {
    let loaded = LoadedCompanionSettings<ForwardSettings>(name: Self.name, option: option)
    var (settings, complaints) = (loaded.settings, loaded.complaints)
    if let file = loaded.file, settings.hasPasswords, !Self.isPrivate(file) {
      settings.removePasswords()
      complaints.append(Complaint(file, "passwords are left out: others may read the file"))
    }
    for file in settings.nats.secretFiles where !Self.isPrivate(file) {
      settings.removeSecret(file)
      complaints.append(Complaint(file, "left out: others may read the file, or it is not there"))
    }
    self.settings = settings
    self.complaints = complaints
  }

  private static func isPrivate(_ path: String) -> Bool {
    (try? File.isPrivateToUs(path)) ?? false
  }
}
