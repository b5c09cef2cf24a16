// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// What is the case now, as the entries of the log say it.
package struct Model: Sendable {
  package init() {}
}
