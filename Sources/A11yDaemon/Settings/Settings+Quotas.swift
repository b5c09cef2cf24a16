// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

extension Settings.Limits {
  /// The limits as clients are told them.
  var quotas: Quotas {
    var quotas = Quotas()
    quotas.connections = connections
    quotas.connectionsPerUser = connectionsPerUid
    quotas.elementBytesPerApp = elementBytesPerApp.bytes
    quotas.elementBytesPerUser = elementBytesPerUid.bytes
    quotas.inBuffer = inBuffer.bytes
    quotas.outBuffer = outBuffer.bytes
    return quotas
  }
}
