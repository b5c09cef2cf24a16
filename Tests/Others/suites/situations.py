# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Situations of a day at pages: forms and their errors, dialogs, menus, mail, chat, a build.

The pages are our own, after the ARIA Authoring Practices; natives.py has programs that are no
browsers. What a person must know after each step is expected of both readers.
"""

from play import words
from suites import natives

FOLDER = "."
SOURCE = "this tree"

STYLE = "<style>[hidden] { display: none } * { outline-offset: 2px }</style>"


def page(title, body):
    return (f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>{STYLE}"
            f"<body><button id=start>Start</button>{body}</body></html>")


def focus(name):
    return f"document.getElementById('{name}').focus()"


def tell(name, text):
    return f"document.getElementById('{name}').textContent = '{text}'"


def add(name, text):
    return (f"const line = document.createElement('p'); line.textContent = '{text}'; "
            f"document.getElementById('{name}').append(line)")


FORM = """
<label for=name>Name</label> <input id=name required>
<label for=mail>Mail</label> <input id=mail aria-invalid=true aria-errormessage=wrong>
<p id=wrong>The address has no at sign</p>
<label for=pin>PIN</label> <input id=pin type=password aria-describedby=four>
<p id=four>Four digits</p>
<span id=ship>Ship to</span> <input id=address aria-labelledby=ship value="Main Street">
<label><input id=news type=checkbox> Newsletter</label>
<button id=wifi role=switch aria-checked=false
  onclick="this.ariaChecked = this.ariaChecked !== 'true'">Wi-Fi</button>
<button id=bold aria-pressed=false
  onclick="this.ariaPressed = this.ariaPressed !== 'true'">Bold</button>
<button id=play
  onclick="this.textContent = this.textContent === 'Play' ? 'Pause' : 'Play'">Play</button>
<label for=heat>Heat</label>
<input id=heat type=range min=0 max=40 value=20 aria-valuetext="20 degrees"
  oninput="this.setAttribute('aria-valuetext', this.value + ' degrees')">
<label for=count>Copies</label> <input id=count type=number value=1>
<label for=fruit>Fruit</label>
<select id=fruit><option>Apple<option>Banana<option>Cherry</select>
<fieldset><legend>Size</legend>
<label><input id=small type=radio name=size> Small</label>
<label><input id=large type=radio name=size> Large</label></fieldset>
<button id=send disabled>Send</button> <button id=help title="Opens the manual">Help</button>
<details><summary id=more>More</summary>Hidden words</details>
"""

WIDGETS = """
<div role=tablist><button role=tab id=one aria-selected=true>Mail</button>
<button role=tab id=two aria-selected=false tabindex=-1>Chat</button></div>
<button id=menubutton aria-haspopup=menu aria-expanded=false
  onclick="this.ariaExpanded = 'true'; menu.hidden = false; copy.focus()">Edit</button>
<div id=menu role=menu hidden><div role=menuitem tabindex=-1 id=copy>Copy</div>
<div role=menuitem tabindex=-1 id=paste>Paste</div></div>
<ul role=tree aria-label=Folders><li role=treeitem id=inbox tabindex=0 aria-expanded=false
  onclick="this.setAttribute('aria-expanded', true)">Inbox</li>
<li role=treeitem id=sent tabindex=0>Sent</li></ul>
<ul role=listbox aria-label=Colours tabindex=0 id=colours aria-activedescendant=red>
<li role=option id=red aria-selected=true>Red</li><li role=option id=green>Green</li></ul>
<table role=grid aria-label=Scores><tr><td role=gridcell tabindex=0 id=cell>Ada</td></tr></table>
<button id=ask onclick="sheet.showModal()">Delete</button>
<dialog id=sheet aria-labelledby=q aria-describedby=d><h2 id=q>Delete the file?</h2>
<p id=d>It cannot be brought back.</p><button id=yes>Yes</button>
<button id=no onclick="sheet.close()">No</button></dialog>
<button id=warn onclick="alarm.hidden = false; ok.focus()">Leave</button>
<div id=alarm role=alertdialog aria-modal=true aria-labelledby=t aria-describedby=u hidden>
<h2 id=t>Unsaved changes</h2><p id=u>They would be lost.</p><button id=ok>OK</button></div>
"""

NEWS = """
<div id=polite aria-live=polite></div> <div id=urgent role=alert></div>
<div id=state role=status></div> <div id=chat role=log aria-label=Chat></div>
<div id=count aria-live=polite>Count 0</div> <div id=stream aria-live=polite></div>
<input id=search aria-label=Search> <div id=found role=status></div>
<progress id=bar max=100 value=0 aria-label=Download></progress>
"""

BROWSER = """
<label for=city>City</label> <input id=city list=cities>
<datalist id=cities><option value=Berlin><option value=Bern><option value=Rome></datalist>
"""

BURST = ("let n = 0; const t = setInterval(() => { n += 1; "
         "document.getElementById('count').textContent = 'Count ' + n; "
         "if (n === 30) clearInterval(t) }, 50)")
GROWTH = ("const all = 'The build has begun. Forty files were compiled. It is done.'.split(' '); "
          "let n = 0; const t = setInterval(() => { "
          "document.getElementById('stream').append((n ? ' ' : '') + all[n++]); "
          "if (n === all.length) clearInterval(t) }, 60)")
THREE = ("['Anna: Hello', 'Bert: Good morning', 'Anna: Lunch?'].forEach((text, i) => "
         "setTimeout(() => { const p = document.createElement('p'); p.textContent = text; "
         "document.getElementById('chat').append(p) }, i * 900))")

# The page, the situation, its steps, and the words that a person must hear after the last one.
SITUATIONS = (
    ("form", "a field that must be filled in", (focus("name"),), ("Name", "required")),
    ("form", "a field whose value is not accepted", (focus("mail"),),
     ("Mail", "invalid", "The address has no at sign")),
    ("form", "a field for a secret, with a description", (focus("pin"),), ("PIN", "Four digits")),
    ("form", "a field that another text names", (focus("address"),), ("Ship to", "Main Street")),
    ("form", "a box that is not checked", (focus("news"),), ("Newsletter", "not checked")),
    ("form", "a box is checked", (focus("news"), "key space"), ("checked",)),
    ("form", "a switch that is off", (focus("wifi"),), ("Wi-Fi", "switch", "off")),
    ("form", "a switch is turned on", (focus("wifi"), "key space"), ("on",)),
    ("form", "a toggle button", (focus("bold"),), ("Bold", "not pressed")),
    ("form", "a toggle button is pressed", (focus("bold"), "key space"), ("pressed",)),
    ("form", "a button that changes its name", (focus("play"), "key space"), ("Pause",)),
    ("form", "a slider with words for its value", (focus("heat"),), ("Heat", "20 degrees")),
    ("form", "a slider is moved", (focus("heat"), "key Right"), ("21 degrees",)),
    ("form", "a number is raised", (focus("count"), "document.getElementById('count').stepUp()"),
     ("2",)),
    ("form", "a list of choices", (focus("fruit"),), ("Fruit", "Apple")),
    ("form", "two choices further", (focus("fruit"), "key Down", "key Down"), ("Cherry",)),
    ("form", "one of a group", (focus("small"),), ("Small", "not checked|not selected")),
    ("form", "the other of the group is chosen", (focus("small"), "key Down"), ("Large",)),
    ("form", "a button with a hint", (focus("help"),), ("Help", "Opens the manual")),
    ("form", "a part of the page that is closed", (focus("more"),), ("More", "collapsed")),
    ("form", "a part of the page is opened", (focus("more"), "key space"), ("expanded",)),
    ("widgets", "a tab", (focus("one"),), ("Mail", "tab", "1 of 2")),
    ("widgets", "a menu is opened", (focus("menubutton"), "key space"), ("Copy",)),
    ("widgets", "an item of a tree", (focus("inbox"),), ("Inbox", "collapsed")),
    ("widgets", "an item of a tree is opened",
     (focus("inbox"), "document.getElementById('inbox').click()"), ("expanded",)),
    ("widgets", "a list whose choice is one of its items", (focus("colours"),), ("Red",)),
    ("widgets", "the next item of the list", (focus("colours"), "document.getElementById("
     "'colours').setAttribute('aria-activedescendant', 'green')"), ("Green",)),
    ("widgets", "a cell", (focus("cell"),), ("Ada",)),
    ("widgets", "a dialog opens", (focus("ask"), "key space"),
     ("Delete the file", "It cannot be brought back", "Yes")),
    ("widgets", "a dialog is closed",
     (focus("ask"), "key space", "document.getElementById('no').click()"), ("Delete",)),
    ("widgets", "a warning opens", (focus("warn"), "key space"),
     ("Unsaved changes", "They would be lost", "OK")),
    ("news", "a message", (tell("polite", "Saved"),), ("Saved",)),
    ("news", "an alert", (tell("urgent", "The connection is lost"),), ("The connection is lost",)),
    ("news", "an alert while a field is told",
     (focus("search") + ";" + tell("urgent", "Low battery"),), ("Low battery", "Search")),
    ("news", "two messages close together",
     (tell("polite", "First message") + "; setTimeout(() => { "
      + tell("state", "Second message") + " }, 300)",), ("First message", "Second message")),
    ("news", "three lines of a chat", (THREE,), ("Hello", "Good morning", "Lunch")),
    ("news", "a value that changes thirty times", (BURST,), ("Count 30",)),
    ("news", "an answer that grows word by word", (GROWTH,),
     ("The build has begun", "Forty files were compiled", "It is done")),
    ("news", "results while one types",
     (focus("search"), tell("found", "5 results"), tell("found", "2 results")), ("2 results",)),
    ("news", "one more line in a region", (add("polite", "Another line"),), ("Another line",)),
    ("browser", "a suggestion for a field", (focus("city"), "type Ber", "key Down"), ("Berlin",)),
    ("browser", "the next suggestion", (focus("city"), "type Ber", "key Down", "key Down"),
     ("Bern",)),
    ("browser", "a suggestion is taken",
     (focus("city"), "type Ber", "key Down", "key Down", "key Return"), ("Bern",)),
    ("browser", "a context menu", (focus("city"), "key shift+F10", "key Down"),
     ("Undo|Paste|Import passwords",)),
    ("browser", "the next item of it", (focus("city"), "key shift+F10", "key Down", "key Down"),
     ("Ask an AI Chatbot|Paste|Select All|Cut Ctrl X",)),
    ("browser", "a context menu is left",
     (focus("city"), "key shift+F10", "key Down", "key Escape"), ("City",)),
    ("browser", "the menus of the browser", (focus("city"), "key F10"), ("File|Chromium",)),
    ("browser", "an item of a menu", (focus("city"), "key alt+f", "key Down"),
     ("New tab|New Container Tab",)),
    ("browser", "the address", ("key ctrl+l",), ("Search or enter address|Address and search",)),
    ("browser", "a suggestion for an address", ("key ctrl+l", "type 127", "key Down"), ("127",)),
    ("browser", "the next suggestion for an address",
     ("key ctrl+l", "type 127", "key Down", "key Down"), ("127",)),
)
PAGES = {
    "form": page("A form", FORM),
    "widgets": page("Widgets", WIDGETS),
    "news": page("News", NEWS),
    "browser": page("Places", BROWSER),
}
PARTS = tuple(PAGES)
PROGRAMS = natives.PROGRAMS


def play(player, part):
    if part in PROGRAMS:
        return play_program(player, part)
    address = f"/situations-{part}"
    player.pages.made[address] = PAGES[part]
    for name, situation, steps, expected in SITUATIONS:
        if name != part:
            continue
        # A list of choices that is open keeps its page.
        player.press("Escape")
        player.pages.open(address)
        player.run(focus("start"))

        def act(step):
            if step.startswith("key "):
                player.press(step.removeprefix("key "))
            elif step.startswith("type "):
                player.desktop.xdotool("type", step.removeprefix("type "))
            else:
                player.run(step)

        for step in steps[:-1]:
            # Menus and suggestions come a while after what they are for.
            if step.startswith(("key ", "type ")):
                player.desktop.settle()
            act(step)
        player.step(situation, lambda: act(steps[-1]), words(situation, *expected))


def play_program(player, part):
    programs = natives.Programs(player)
    for program, situation, steps, expected, *stale in natives.SITUATIONS:
        if program != part:
            continue
        for step in steps[:-1]:
            player.desktop.settle()
            programs.act(step)
        never = stale[0] if stale else ()
        # A dialog takes the time of its words.
        player.step(situation, lambda: programs.act(steps[-1]),
                    words(situation, *expected, never=never, behind=expected))
    programs.end()
