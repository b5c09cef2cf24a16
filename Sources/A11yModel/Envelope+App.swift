// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

extension Envelope {
  /// The app and the user that the entry is from.
  package var sender: AppKey? { line.appKey(line.root) }

  /// The app and the user that the entry is about: of the bus's own entries, those that the event
  /// names.
  package var subjectApp: AppKey? { subject.flatMap { line.appKey($0) } }

  /// Whether an app that may see only its own entries may see this one.
  ///
  /// Everybody may know whether a reader runs.
  package func concerns(_ owner: AppKey) -> Bool {
    type == EventType.voiceOverStatus.rawValue || subjectApp == owner
  }
}
