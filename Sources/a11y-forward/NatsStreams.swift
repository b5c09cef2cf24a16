// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward

/// The settings of the two streams, for whoever may make them.
extension NatsSettings {
  var logStreamWords: String {
    #"{"name":"\#(stream)","subjects":["a11yd.*.log"],"retention":"limits","storage":"file","#
      + #""num_replicas":\#(replicas),"allow_direct":true,"allow_atomic":true}"#
  }

  var aliveStreamWords: String {
    #"{"name":"\#(aliveStream)","subjects":["a11yd-alive.*"],"retention":"limits","#
      + #""max_msgs_per_subject":1,"max_age":\#(SignOfLife.lifetime)000000000,"storage":"file","#
      + #""num_replicas":\#(replicas)}"#
  }
}
