// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yRules

/// Decides what is heard.
package struct Engine: Sendable {
  package private(set) var rules = RuleSet()

  package init() {}
}
