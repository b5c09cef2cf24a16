// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A test that takes so many minutes waits for something that does not come.
///
/// All tests begin together and share as many threads as there are processors, and the clock of a
/// test also runs while it waits for one of them. So this is longer than a whole run takes on a
/// busy machine.
public let hangs = 15
