// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml
import A11yPosix

/// A file that settings may stand in.
package struct SettingsFile: Equatable, Sendable {
  package let path: String
  /// Whether it is an error that there is none.
  package let isRequired: Bool

  package init(path: String, isRequired: Bool) {
    self.path = path
    self.isRequired = isRequired
  }

  /// The files to look for, in order: that of `--config` alone, else the machine's, then the
  /// user's.
  package static func candidates(option: String?, places: Places) -> [SettingsFile] {
    if let option { return [SettingsFile(path: option, isRequired: true)] }
    let machine = SettingsFile(path: "\(ConfigHome.ofMachine)/a11yd.toml", isRequired: false)
    let user = places.configHome.map {
      SettingsFile(path: $0 + "/a11yd/a11yd.toml", isRequired: false)
    }
    return [machine] + (user.map { [$0] } ?? [])
  }

  /// The content of the file; nil where it need not be there and is not.
  package func bytes() throws(Complaints) -> [UInt8]? {
    do throws(File.Unreadable) {
      return try File.read(path, limit: TomlText.largest)
    } catch .refused(.noSuchFile) where !isRequired, .refused(.notDirectory) where !isRequired {
      return nil
    } catch {
      throw Complaints(Complaint(path, "\(error)"))
    }
  }
}
