// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the door answers: number and words as speech-dispatcher has them, its mistakes too, for
/// programs compare them.
package struct SsipReply: Error, Equatable, Sendable {
  package let code: Int
  package let words: String
  /// The words of the lines before the last, which bear the same number.
  package private(set) var details: [String] = []

  init(_ code: Int, _ words: String) {
    self.code = code
    self.words = words
  }

  /// The answer with lines before its last one.
  func telling(_ details: [String]) -> SsipReply {
    var reply = self
    reply.details = details
    return reply
  }

  /// The answer as it is sent, in one piece: there are clients that read once for each.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for detail in details { bytes += Array("\(code)-\(detail)\r\n".utf8) }
    return bytes + Array("\(code) \(words)\r\n".utf8)
  }

  // MARK: Done

  static let languageSet = SsipReply(201, "OK LANGUAGE SET")
  static let prioritySet = SsipReply(202, "OK PRIORITY SET")
  static let rateSet = SsipReply(203, "OK RATE SET")
  static let pitchSet = SsipReply(204, "OK PITCH SET")
  static let punctuationSet = SsipReply(205, "OK PUNCTUATION SET")
  static let capitalsSet = SsipReply(206, "OK CAP LET RECOGNITION SET")
  static let spellingSet = SsipReply(207, "OK SPELLING SET")
  static let clientNameSet = SsipReply(208, "OK CLIENT NAME SET")
  static let voiceSet = SsipReply(209, "OK VOICE SET")
  static let stopped = SsipReply(210, "OK STOPPED")
  static let paused = SsipReply(211, "OK PAUSED")
  static let resumed = SsipReply(212, "OK RESUMED")
  static let cancelled = SsipReply(213, "OK CANCELED")
  static let outputModuleSet = SsipReply(216, "OK OUTPUT MODULE SET")
  static let pauseContextSet = SsipReply(217, "OK PAUSE CONTEXT SET")
  static let volumeSet = SsipReply(218, "OK VOLUME SET")
  static let ssmlModeSet = SsipReply(219, "OK SSML MODE SET")
  static let notificationSet = SsipReply(220, "OK NOTIFICATION SET")
  static let cursorFirst = SsipReply(220, "OK CURSOR SET FIRST")
  static let cursorLast = SsipReply(221, "OK CURSOR SET LAST")
  static let cursorSet = SsipReply(222, "OK CURSOR SET TO POSITION")
  static let cursorForward = SsipReply(223, "OK CURSOR MOVED FORWARD")
  static let queued = SsipReply(225, "OK MESSAGE QUEUED")
  static let emptyMessage = SsipReply(227, "OK MESSAGE CANCELED")
  static let receivingData = SsipReply(230, "OK RECEIVING DATA")
  static let bye = SsipReply(231, "HAPPY HACKING")
  static let clientID = SsipReply(245, "OK CLIENT ID SENT")
  static let help = SsipReply(248, "OK HELP SENT").telling([
    "  SPEAK           -- say text ",
    "  KEY             -- say a combination of keys ",
    "  CHAR            -- say a character ",
    "  SOUND_ICON      -- execute a sound icon ",
    "  SET             -- set a parameter ",
    "  GET             -- get a current parameter ",
    "  LIST            -- list available arguments ",
    "  HISTORY         -- commands related to history ",
    "  QUIT            -- close the connection ",
  ])
  static let voices = SsipReply(249, "OK VOICE LIST SENT")
  static let modules = SsipReply(250, "OK MODULE LIST SENT")
  static let got = SsipReply(251, "OK GET RETURNED")
  static let insideBlock = SsipReply(260, "OK INSIDE BLOCK")
  static let outsideBlock = SsipReply(261, "OK OUTSIDE BLOCK")
  static let pitchRangeSet = SsipReply(263, "OK PITCH RANGE SET")

  // MARK: Not done

  static let failed = SsipReply(300, "ERR INTERNAL")
  static let cannotSetPriority = SsipReply(301, "ERR COULDNT SET PRIORITY")
  static let cannotSetLanguage = SsipReply(302, "ERR COULDNT SET LANGUAGE")
  static let cannotSetRate = SsipReply(303, "ERR COULDNT SET RATE")
  static let cannotSetPitch = SsipReply(304, "ERR COULDNT SET PITCH")
  static let cannotSetPunctuation = SsipReply(305, "ERR COULDNT SET PUNCT MODE")
  static let cannotSetCapitals = SsipReply(306, "ERR COULDNT SET CAP LET RECOGNITION")
  static let cannotSetSpelling = SsipReply(308, "ERR COULDNT SET SPELLING")
  static let cannotSetVoice = SsipReply(309, "ERR COULDNT SET VOICE")
  static let cannotSetClientName = SsipReply(311, "ERR COULDNT SET CLIENT_NAME")
  static let cannotSetOutputModule = SsipReply(312, "ERR COULDNT SET OUTPUT MODULE")
  static let cannotSetPauseContext = SsipReply(313, "ERR COULDNT SET PAUSE CONTEXT")
  static let cannotSetVolume = SsipReply(314, "ERR COULDNT SET VOLUME")
  static let cannotSetSsmlMode = SsipReply(315, "ERR COULDNT SET SSML MODE")
  static let cannotSetNotification = SsipReply(316, "ERR COULDNT SET NOTIFICATION")
  static let cannotSetDebugging = SsipReply(317, "ERR COULDNT SET DEBUGGING")
  static let noVoices = SsipReply(321, "ERR MODULE CANT REPORT VOICES")
  static let alreadyInsideBlock = SsipReply(330, "ERR ALREADY INSIDE BLOCK")
  static let alreadyOutsideBlock = SsipReply(331, "ERR ALREADY OUTSIDE BLOCK")
  static let notInsideBlock = SsipReply(332, "ERR NOT ALLOWED INSIDE BLOCK")
  static let cannotSetPitchRange = SsipReply(340, "ERR COULDNT SET PITCH RANGE")
  static let notImplemented = SsipReply(380, "ERR NOT YET IMPLEMENTED")
  static let noMessage = SsipReply(403, "ERR NO MESSAGE")
  static let positionLow = SsipReply(404, "ERR POSITION TOO LOW")
  static let positionHigh = SsipReply(405, "ERR POSITION TOO HIGH")
  static let noSuchID = SsipReply(406, "ERR ID DOESNT EXIST")
  static let unknownPriority = SsipReply(408, "ERR UNKNOWN PRIORITY")
  static let rateHigh = SsipReply(409, "ERR RATE TOO HIGH")
  static let rateLow = SsipReply(410, "ERR RATE TOO LOW")
  static let pitchHigh = SsipReply(411, "ERR PITCH TOO HIGH")
  static let pitchLow = SsipReply(412, "ERR PITCH TOO LOW")
  // speech-dispatcher says “pitch” here.
  static let volumeHigh = SsipReply(413, "ERR PITCH TOO HIGH")
  static let volumeLow = SsipReply(414, "ERR PITCH TOO LOW")
  static let pitchRangeHigh = SsipReply(415, "ERR PITCH RANGE TOO HIGH")
  static let pitchRangeLow = SsipReply(416, "ERR PITCH RANGE TOO LOW")

  // MARK: Not understood

  static let unknownCommand = SsipReply(500, "ERR INVALID COMMAND")
  static let badEncoding = SsipReply(501, "ERR INVALID ENCODING")
  static let missing = SsipReply(510, "ERR MISSING PARAMETER")
  static let notNumber = SsipReply(511, "ERR PARAMETER NOT A NUMBER")
  static let notOnOff = SsipReply(513, "ERR PARAMETER NOT ON OR OFF")
  static let invalid = SsipReply(514, "ERR PARAMETER INVALID")
}
