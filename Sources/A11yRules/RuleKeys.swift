// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The keys of a rule's matchers.
public enum MatcherKey: String, Sendable, CaseIterable {
  case type, `class`, app, window, element, priority, trait, cause, foreground, focused, continuous
  case origin, text
}

/// The keys of a rule's settings.
public enum SettingKey: String, Sendable, CaseIterable {
  case key, leading, debounce, maxWait = "max_wait", rate, burst, over, dedupe, ttl, mode, priority
  case present, onlyIfUser = "only_if_user", hold, maxChars = "max_chars"
}
