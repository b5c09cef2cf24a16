// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The answer of a stage to an event.
enum Passage {
  /// The event goes on to the next stage.
  case on(Item)
  /// The event is parked.
  case waits
  case ends(Item, Ending)
}
