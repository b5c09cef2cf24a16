// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What `--version` prints and `hello` tells.
package enum Version {
  package static let text = "0.1.0"
}
