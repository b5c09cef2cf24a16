// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension RuleSet {
  /// Made from `Config/default-rules.toml` by `ShippedRulesTests`: of each rule its name, its
  /// matchers and its settings, a line each.
  static let shipped = """
    layout-changed
    type layout-changed
    key app+window, leading true, debounce 100 ms, max_wait 350 ms, rate 10/s, burst 2, over \
    merge, dedupe none, ttl 5 s, mode latest, hold 150 ms
    screen-changed
    type screen-changed
    key app+window, leading true, debounce 200 ms, max_wait 550 ms, rate 2/s, burst 3, over merge, \
    dedupe 550 ms, ttl kept, mode latest, hold false
    focus
    type focus
    key type, leading true, debounce 50 ms, max_wait 150 ms, rate none, burst 4, over merge, \
    dedupe 1 s, ttl kept, mode latest, hold false
    focus
    type focus, cause user
    debounce 0, dedupe none
    page-scrolled, after a user's action
    type page-scrolled, continuous false
    key app+element, leading true, debounce 0, max_wait none, rate 4/s, burst 4, over merge, \
    dedupe 60 s, ttl 3 s, mode latest, hold false
    page-scrolled, continuous
    type page-scrolled, continuous true
    key app+element, leading false, debounce 500 ms, max_wait 3 s, rate none, over merge, dedupe \
    none, ttl 3 s, mode latest, hold false
    announcement high
    type announcement, priority high
    key none, leading true, debounce 0, max_wait none, rate 1/s, burst 3, over defer, dedupe 250 \
    ms, ttl 5 min, mode all, hold false
    announcement default
    type announcement, priority default
    key none, leading true, debounce 0, max_wait none, rate 1/s, burst 5, over defer, dedupe 1 s, \
    ttl 10 s, mode all, hold 150 ms
    announcement low
    type announcement, priority low
    key none, leading true, debounce 0, max_wait none, rate 1/2 s, burst 5, over merge, dedupe 1 \
    s, ttl 45 s, mode all, hold 150 ms
    class status
    type announcement, class status, priority low|default
    key app+key, leading true, debounce 150 ms, max_wait 1 s, rate 1/s, burst 2, over merge, \
    dedupe 1 s, ttl 10 s, mode latest
    class value
    type announcement|elements, class value, priority low|default
    key app+element, leading true, debounce 1 s, max_wait 1 s, rate 1/s, burst 2, over merge, \
    dedupe equal, ttl 5 s, mode latest-interrupt, hold false
    class value
    type announcement|elements, class value, priority low|default, focused true
    debounce 150 ms
    class progress
    type announcement, class progress, priority low|default
    key app+key|app+element, leading true, rate 1/10 s, burst 1, over merge, dedupe equal, ttl 1 \
    min, mode current-then-latest
    class progress
    type announcement, class progress, priority low|default, focused true
    rate 1/5 s
    class timer
    type announcement, class timer, priority low|default
    key app+key|app+element, leading false, rate 1/10 s, burst 1, over merge, dedupe equal, ttl 15 \
    s, mode latest
    class chat
    type announcement, class chat, priority low|default
    key app+element, leading true, max_wait 5 s, rate 1/s, burst 4, over merge, dedupe 1 s, ttl 45 \
    s, mode all
    class reading
    type announcement, class reading, priority low|default
    key none, leading true, debounce 0, max_wait none, rate none, dedupe none, ttl kept, mode all, \
    hold false
    storm
    type storm
    key app+class, leading false, debounce 250 ms, max_wait 1 s
    voiceover-status
    type voiceover-status
    key type, leading false, debounce 250 ms, max_wait 1 s, rate none, dedupe equal, ttl kept, \
    mode latest, hold false
    busy
    type busy
    key app+element, leading false, debounce 10 s, max_wait 10 s, mode latest
    assistant
    type announcement, app claude-code|codex|gemini, class status, priority low
    leading false, debounce 2 s, max_wait 15 s, rate 1/15 s, burst 1
    """
}
