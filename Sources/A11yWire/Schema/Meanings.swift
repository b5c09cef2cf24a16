// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Each field in a sentence, for `describe` and the manual.
///
/// Shapes are in the schema, which lines are checked against; sentences stand apart from it, since
/// no line needs them.
enum Meanings {
  /// The meaning of a field of an event, an object or a request, which has this name.
  static func find(_ field: StaticString, of object: String) -> String {
    let name = field.description
    return own["\(object).\(name)"] ?? common[name] ?? ""
  }

  /// Fields that stand in every event.
  static let common = [
    "type": "The type of the event.",
    "window": "The window that the event is about: an id of the app's choice.",
    "element": "The element that the event is about: an id of the app's choice.",
    "cause":
      "The cause: auto, which is meant without it; user, for the user's last action; or a seq.",
    "basis": "The seq of the focus entry that the app had seen when it asked for the focus.",
    "key":
      "The thing of which the event is a value; a later value takes its place in the latest modes.",
    "ttl_ms": "The time within which the event must begin to be spoken, in milliseconds.",
    "sensitive":
      "Whether the texts of the event are a secret, which is on no disk; those of class reading are"
      + " unless it is false.",
    "foreground":
      "False puts it in the background; true counts while no other app's window is active.",
    "origin":
      "The bridge through which the event comes, as atspi or notification; without it, it comes "
      + "from the app itself.",
  ]

  static let own = events.merging(objects) { $1 }.merging(requests) { $1 }

  private static let events = [
    "announcement.text": "The words to speak: a string, or runs with attributes of their own.",
    "announcement.priority": "The urgency; default without it.",
    "announcement.queue":
      "Whether it waits for a default announcement that is being spoken; else it cuts that.",
    "announcement.class":
      "The kind of message that rules go by: message, which is meant without it and for any other "
      + "word, status, progress, timer, value, chat or hint; reading: the words of a screen reader "
      + "that speaks through the bus.",
    "announcement.mode":
      "Whether all events of the key are heard or the latest, and whether that cuts or waits.",
    "announcement.final": "Whether it is the last value of its key, which is always heard.",
    "layout-changed.text": "Words that tell of the change; an announcement says them better.",
    "screen-changed.text": "Words that tell of the new screen.",
    "screen-changed.modal": "Whether the screen covers the rest of its app until it is closed.",
    "page-scrolled.text": "The place after scrolling, such as “Page 5 of 17”.",
    "page-scrolled.continuous":
      "Whether scrolling goes on, so that only the place at its end is spoken.",
    "voiceover-status.running": "Whether the screen reader runs.",
    "voiceover-status.reader": "The name of the screen reader.",
    "elements.upsert":
      "Elements that are new or have changed; fields are merged, and null takes a field away.",
    "elements.remove": "The ids of elements that are gone.",
    "elements.replace": "All elements of the window; those that are not in the list are gone.",
    "window.state": "The new state of the window.",
    "window.title": "The title of the window.",
    "window.modal": "Whether the window covers the rest of its app.",
    "window.lock":
      "Whether the window locks its user's session: while it is there, of other apps' announcements"
      + " only those that cannot wait are heard.",
    "handled.of": "The seq of the gesture that is answered.",
    "handled.handled":
      "Whether the app has carried the gesture out; if not, the next responder is asked.",
    "busy.busy":
      "Whether the element is busy; its events then wait until it is not, for 10 s at most.",
    "cancel.of": "The seq of the app's own event that is withdrawn.",
    "zoom-focus-changed.zoom": "The kind of zoom, a word of the app's choice.",
    "zoom-focus-changed.frame": "The visible part of the screen: x, y, width and height.",
    "content-size-changed.category": "The name of the new size of text.",
    "action.action": "The user's action.",
    "action.app": "The app that the action is meant for; without it the app of the active window.",
    "action.point": "The point on the screen, which touch needs: x and y.",
    "action.name": "The name of the action, which custom needs, as the element lists it.",
    "action.of":
      "For repeat, the seq of the deliver entry to speak again; without it the last one.",
    "do-not-disturb.level":
      "Announcements below it wait: low counts 20, default 50, high 80; 0 ends it.",
    "do-not-disturb.for_ms": "The time after which the bus ends it by itself, in milliseconds.",
    "speech.of": "The seq of the deliver entry that is reported on.",
    "speech.reading": "In the place of “of”: the user reads by himself.",
    "speech.state": "How the speech goes, or how it has ended.",
    "speech.heard_ms": "How long the speech has been heard, in milliseconds.",
    "speech.reason": "The reader's own word for a loss.",
    "speech.estimated": "The times are the reader's estimate, as it cannot hear the end.",
    "speech.by": "For elsewhere, the program that presents the words.",
    "speech.mark": "For progress, the name of the mark that the voice has passed last.",
  ]

  private static let objects = [
    "element.id": "The id of the element, of the app's choice.",
    "element.parent":
      "The id of the element around it; without it the element stands in the window itself.",
    "element.index":
      "Its place among its siblings, from 0; without it, they stand in order of arrival.",
    "element.label": "Its name as it is spoken, without its kind.",
    "element.value": "Its value as it is spoken.",
    "element.hint": "The effect of acting on it, as a sentence.",
    "element.traits": "Its kinds and states.",
    "element.role": "What it is, more exactly than the traits tell; spoken in the place of theirs.",
    "element.checked":
      "Whether it is checked, pressed or on; mixed where some of what it stands for is.",
    "element.expanded": "Whether what belongs to it is shown; only for one that opens and closes.",
    "element.required": "Whether it must be filled in.",
    "element.invalid": "Whether its value is not accepted.",
    "element.set": "Its place among those of its kind that belong together.",
    "set.index": "The place, from 1.",
    "set.count": "How many they are.",
    "element.frame": "Its rectangle on the screen: x, y, width and height.",
    "element.modal": "Whether it covers the rest of its app.",
    "element.hidden": "Whether it is hidden, with all that is in it.",
    "element.accessible":
      "Whether the focus stops at it; without it, it does unless elements in it do.",
    "element.lang": "The language of its texts, as BCP 47 names it.",
    "element.actions": "The names of its custom actions.",
    "element.responds": "The gestures that it answers.",
    "run.text": "The words of the run.",
    "run.spell": "Whether the run is spelt out.",
    "run.punctuation": "Whether punctuation is spoken: all of it, none, some or most.",
    "run.ipa": "The pronunciation, in the International Phonetic Alphabet.",
    "run.lang": "The language of the run, as BCP 47 names it.",
    "run.pitch": "The pitch; 1 is the usual one.",
    "run.pitch_range": "How far the pitch goes up and down; 1 is the usual range.",
    "run.rate": "The speed; 1 is that of the synthesizer, whatever the listener has set.",
    "run.volume": "The loudness; 1 is that of the synthesizer.",
    "run.voice": "The name of the voice, as the synthesizer has it, or its kind, as in female1.",
    "run.capitals": "How capital letters are told: not at all, by their name, or by a sound.",
    "run.as": "What the text is: a character, the name of a key, or the name of a sound.",
    "run.mark": "A name that the reader reports as soon as the voice has come to the run.",
    "filter.types": "Types of events.",
    "filter.apps": "Names of apps.",
    "filter.windows": "Ids of windows.",
    "filter.elements": "Ids of elements.",
    "filter.priorities": "Priorities of announcements.",
  ]

  private static let requests = [
    "hello.app": "The name of the app; without it, uid: and the number of its user.",
    "hello.client": "The program and its version, for people who read the log.",
    "hello.want": "The versions of the protocol that the client knows.",
    "hello.role": "Says that the connection is an assistive technology.",
    "hello.advice": "Whether replies to publish bear advice on style.",
    "hello.reports": "Whether the reader reports every end of its speech truthfully.",
    "hello.speech":
      "The rank of the reader's voice: the highest owns speech, and 0 never does; 50 without it.",
    "publish.event": "The event to publish.",
    "publish.ack": "How safe the event is when it is answered; written without it.",
    "publish.dedupe":
      "A key: the same key of the same app within 10 min gives the first seq again.",
    "subscribe.from":
      "Where to begin: now, start, or a cursor, behind which it goes on; now without it.",
    "subscribe.filter": "The entries that are wanted: all lists that are given must match.",
    "subscribe.mode":
      "Whether all entries are wanted or, for a slow client, the latest of each thing.",
    "subscribe.state": "Whether the state comes first.",
    "subscribe.durable": "Whether an entry comes only when the medium has confirmed it.",
    "state.at": "The seq of the entry after which the state is wanted; without it, the last one.",
    "explain.seq": "The seq of the entry to explain.",
    "forget.apps": "Names of apps.",
    "forget.uids": "Numbers of users.",
    "forget.before": "Entries before this time, in microseconds since 1970.",
  ]
}
