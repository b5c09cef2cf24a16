// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech

/// The folder in the runtime directory in which the sounds stand as files, for synthesizers.
enum SoundFolder {
  /// Writes the sounds that are missing; nil where there is no place for them.
  static func make(environment: (String) -> String? = Environment.value) -> String? {
    guard let base = environment("XDG_RUNTIME_DIR") else { return nil }
    let folder = base + "/a11yd/sounds"
    do throws(Errno) {
      try Directory.create(folder, mode: 0o700)
      for sound in Earcon.allCases {
        let path = "\(folder)/\(sound.rawValue).wav"
        let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate, .noFollow])
        try file.writeAll(sound.wave.span)
      }
      return folder
    } catch {
      return nil
    }
  }
}
