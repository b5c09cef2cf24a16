// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A day with everything that a report shows, for `a11yctl simulate`.
///
/// Two apps: texts that are heard, repeated, cut off, counted, too late, in the background and
/// taken back, a walk of the focus, and times of quiet by the user and by an app.
package enum DayScript {
  package static let text = """
    {"mono":0,"conn":"M","hello":{"app":"org.example.<Mail>"}}
    {"mono":0,"conn":"F","hello":{"app":"org.example.Files"}}
    {"mono":0,"conn":"U","hello":{"app":"seat","role":"control"}}
    {"mono":1000,"conn":"M","event":{"type":"window","window":"w","state":"active",\
    "title":"In & out"}}
    {"mono":2000,"conn":"M","event":{"type":"elements","window":"w","replace":[{"id":"a",\
    "label":"Reply","traits":["button"],"frame":[0,0,100,40]},{"id":"b","label":"Delete button",\
    "traits":["button"],"frame":[120,0,100,40]},{"id":"c","label":"Archive","traits":["button"],\
    "frame":[0,60,220,40]}]}}
    {"mono":100000,"conn":"U","event":{"type":"action","action":"next"}}
    {"mono":5000000,"conn":"U","event":{"type":"action","action":"next"}}
    {"mono":8000000,"conn":"U","event":{"type":"action","action":"next"}}
    {"mono":10000000,"conn":"M","event":{"type":"announcement","text":"<b>New</b> mail"}}
    {"mono":10100000,"conn":"M","event":{"type":"announcement","text":"<b>New</b> mail"}}
    {"mono":20000000,"conn":"U","event":{"type":"do-not-disturb","level":100}}
    {"mono":30000000,"conn":"M","event":{"type":"announcement","text":"Held","ttl_ms":2000}}
    {"mono":40000000,"conn":"U","event":{"type":"do-not-disturb","level":0}}
    {"mono":60000000,"conn":"F","event":{"type":"announcement","text":"Copying is done",\
    "priority":"low"}}
    {"mono":70000000,"conn":"M","event":{"type":"announcement",\
    "text":"A long message that goes on for a while, so that it can be stopped"}}
    {"mono":71000000,"conn":"U","event":{"type":"action","action":"stop"}}
    {"mono":90000000,"conn":"U","event":{"type":"action","action":"pause"}}
    {"mono":91000000,"conn":"M","label":"held","event":{"type":"announcement",\
    "text":"Taken back"}}
    {"mono":92000000,"conn":"M","event":{"type":"cancel","of":"@held"}}
    {"mono":100000000,"conn":"U","event":{"type":"action","action":"resume"}}
    {"mono":110000000,"conn":"F","event":{"type":"pause"}}
    {"mono":115000000,"conn":"F","event":{"type":"resume"}}
    {"mono":120000000,"conn":"M","event":{"type":"pause"}}
    {"mono":122000000,"conn":"F","gone":true}
    {"mono":200000000,"conn":"M","event":{"type":"pause"}}
    {"mono":205000000,"conn":"M","gone":true}
    {"mono":3700000000,"conn":"N","hello":{"app":"org.example.<Mail>"}}
    {"mono":3700000000,"conn":"N","event":{"type":"announcement","text":"An hour later"}}
    {"mono":3700001000,"conn":"U","event":{"type":"do-not-disturb","level":50,"for_ms":60000}}
    {"mono":3700800000,"conn":"N","event":{"type":"announcement","text":"The last word"}}

    """
}
