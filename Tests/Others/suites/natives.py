# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""Situations of a day in programs of a desktop that are no browsers.

A situation begins with a program that is started anew, or goes on in the one before. Its steps are
keys, words that are typed, a program that is started, and a control that is gone to. The words are
those that a person must know after the last step; what is stale must not be spoken.
"""

import shlex
import shutil
import time

from browser import Fault

# Signals by which a program tells of its window, and starts until it does.
SIGNS = ("focused", "active")
STARTS = 5
FORM = ("start Contact: zenity --forms --title=Contact --text=New --add-entry=Name "
        "--add-combo=Fruit --combo-values=Apple|Banana|Cherry")
LIST = ("start Cities: zenity --list --title=Cities --checklist --column=On --column=City "
        "TRUE Rome FALSE Oslo FALSE Bern")
WRITER = "start Writer: soffice --norestore --nologo --writer"
CALC = "start Calc: soffice --norestore --nologo --calc"
# To the control before, and back: the last step is the one whose words are judged.
AGAIN = ("key shift+Tab", "key Tab")
DAEMON = "/usr/lib/notification-daemon/notification-daemon"
MAKE = "type for i in 1 2 3; do echo Compiling file $i; sleep 0.3; done; echo Build complete"

# The program, the situation, its steps, the words, and what is stale.
SITUATIONS = (
    ("zenity", "an error", ("start Error: zenity --error --title=Error --text=Full",),
     ("Error", "Full", "OK")),
    ("zenity", "a question", ("start Sure: zenity --question --title=Sure --text=Leave?",),
     ("Sure", "Leave", "Yes|No")),
    ("zenity", "the other answer", ("key Tab", "key Tab"), ("Yes|No",)),
    ("zenity", "a form", (FORM,), ("Contact", "text")),
    ("zenity", "a combo box", ("key Tab",), ("combo box",)),
    ("zenity", "a choice", ("key Down",), ("Apple",)),
    ("zenity", "the third choice", ("key Down", "key Down"), ("Cherry",), ("Apple",)),
    ("zenity", "the list of choices", ("key Return",), ("Cherry|combo box",), ("Apple",)),
    ("zenity", "the choice is kept", ("key Return",), ("Cherry",), ("Apple",)),
    ("zenity", "a list", (LIST,), ("Cities", "Select items")),
    ("zenity", "a row that is not checked", ("key Down",), ("Oslo", "not checked")),
    ("zenity", "the next row", ("key Down",), ("Bern", "not checked"), ("Oslo",)),
    ("zenity", "a slider", ("start Sound: zenity --scale --title=Sound --text=Volume --value=20",),
     ("Sound", "20", "slider")),
    ("zenity", "a slider is moved", ("key Right",), ("21",)),
    ("zenity", "a slider that was moved, once more", ("key Tab", "key shift+Tab"), ("21",),
     ("20",)),
    ("zenity", "a calendar", ("start Day: zenity --calendar --title=Day --text=When",),
     ("Day", "OK")),
    ("gtk3-widget-factory", "a combo box with its choice",
     ("start : gtk3-widget-factory", "reach Left", *AGAIN), ("Left", "combo box")),
    ("gtk3-widget-factory", "another choice", ("key Down",), ("Middle",)),
    ("gtk3-widget-factory", "a box that is checked", ("reach checkbutton", *AGAIN),
     ("checkbutton", "checked")),
    ("gtk3-widget-factory", "a box is unchecked", ("key space",), ("not checked",)),
    ("gtk3-widget-factory", "a toggle button", ("reach togglebutton", *AGAIN),
     ("togglebutton", "not pressed")),
    ("gtk3-widget-factory", "a toggle button is pressed", ("key space",), ("pressed",)),
    ("gtk3-widget-factory", "a switch", ("reach link button", "key Tab"), ("switch", "off")),
    ("gtk3-widget-factory", "a switch is turned on", ("key space",), ("on",)),
    ("gtk3-widget-factory", "a row with a check box",
     ("key Tab", "key Tab", "key Tab", "key Tab"), ("Andrea", "checked")),
    ("gtk3-widget-factory", "the next row of it", ("key Down",), ("Otto", "not checked"),
     ("Andrea",)),
    ("mousepad", "a window opens", ("start Mousepad: mousepad --disable-server",),
     ("Untitled 1 Mousepad", "text")),
    ("mousepad", "a menu", ("type Hello world", "key alt+f"), ("New",)),
    ("mousepad", "its next item", ("key Down",), ("New Window",)),
    ("mousepad", "a menu is left", ("key Escape",), ("Hello world", "text")),
    ("mousepad", "what was not saved", ("key ctrl+w",),
     ("Question", "Do you want to save the changes", "Save")),
    ("mousepad", "back in the window", ("key Escape",), ("Untitled 1 Mousepad", "Hello world")),
    ("mousepad", "a file is named", ("key ctrl+s",), ("Save As", "Name", "text")),
    ("gtk4-widget-factory", "a window opens", ("start GTK: gtk4-widget-factory",),
     ("GTK Widget Factory", "comboboxentry")),
    ("gtk4-widget-factory", "a spin button", ("reach 50", *AGAIN), ("50", "spin button")),
    ("gtk4-widget-factory", "a number is raised", ("key Up",), ("51",)),
    ("gtk4-widget-factory", "a box that is checked", ("reach checkbutton", *AGAIN),
     ("checkbutton", "checked")),
    ("gtk4-widget-factory", "a box is unchecked", ("key space",), ("not checked",)),
    ("gtk4-widget-factory", "a switch", ("reach link button", "key Tab"), ("switch", "off")),
    ("gtk4-widget-factory", "a switch is turned on", ("key space",), ("on|checked",)),
    ("gtk4-widget-factory", "a slider", ("key Tab",), ("50", "slider")),
    ("gtk4-widget-factory", "a slider is moved", ("key Right",), ("51",)),
    ("gnome-text-editor", "a window opens", ("start Text Editor: gnome-text-editor",),
     ("Text Editor", "text")),
    ("gnome-text-editor", "a menu", ("type Hello world", "key F10"),
     ("Follow system style|Zoom out",)),
    ("gnome-text-editor", "a menu is left", ("key Escape",), ("Menu", "button")),
    ("gnome-text-editor", "what was not saved", ("key ctrl+w",),
     ("Save Changes", "Hello world")),
    ("gnome-text-editor", "back in the window", ("key Escape",), ("Text Editor",)),
    ("keepassxc", "a window opens", ("start KeePassXC: keepassxc",),
     ("KeePassXC", "Create new database|Create Database", "button")),
    ("keepassxc", "the first page of a wizard", ("key ctrl+shift+n",),
     ("Create a new KeePassXC database", "Please fill in", "Database name field", "Passwords")),
    ("keepassxc", "its next page", ("key Tab", "key Tab", "key Return"),
     ("Decryption time in seconds", "slider")),
    ("keepassxc", "a slider is moved", ("key Right",), ("11",)),
    ("keepassxc", "a combo box", ("key Tab",), ("KDBX 4", "combo box")),
    ("keepassxc", "another choice", ("key Down",), ("KDBX 3",), ("KDBX 4",)),
    ("keepassxc", "back in the window", ("key Escape",),
     ("KeePassXC", "Create new database|Create Database")),
    ("keepassxc", "a menu", ("key alt+d",), ("New Database",)),
    ("keepassxc", "its next item", ("key Down",), ("Open Database",)),
    ("keepassxc", "a file is looked for", ("key Escape", "key Escape", "key ctrl+o"),
     ("Open database", "File name", "text")),
    ("focuswriter", "a dialog", ("start Untitled: focuswriter", "type Hello world", "key ctrl+f"),
     ("Find", "text")),
    ("focuswriter", "a box that is checked", ("key Tab",), ("Ignore case", "checked")),
    ("focuswriter", "a box is unchecked", ("key space",), ("not checked",)),
    ("focuswriter", "back in the window", ("key Escape",), ("Untitled 1", "Hello world")),
    ("focuswriter", "what was not saved", ("key ctrl+w",),
     ("Save Changes", "Your changes will be lost", "Save")),
    ("writer", "a window opens", (WRITER,), ("Untitled 1 LibreOffice Writer",)),
    ("writer", "a paragraph", ("type Hello world", "key Return", "type Second line", "key Up"),
     ("Hello world",)),
    ("writer", "the next paragraph", ("key Down",), ("Second line",), ("Hello",)),
    ("writer", "a menu", ("key alt+f",), ("New",)),
    ("writer", "a dialog", ("key Escape", "key Escape", "key ctrl+h"),
     ("Find and Replace", "text")),
    ("writer", "a box in it", ("key Tab", "key Tab"), ("Match case", "not checked")),
    ("writer", "back in the window", ("key Escape",), ("LibreOffice Writer",)),
    ("writer", "the spelling is right", ("key ctrl+Home", "key F7"),
     ("The spellcheck is complete", "OK")),
    ("calc", "a window opens", (CALC,), ("Untitled 1 LibreOffice Calc",)),
    ("calc", "the cell below", ("type Ada", "key Return"), ("A2",)),
    ("calc", "a cell with a text", ("key Up",), ("A1", "Ada")),
    ("calc", "the cell beside it", ("key Right",), ("B1",), ("Ada",)),
    ("xfce4-terminal", "a window opens", ("start Terminal: xfce4-terminal --disable-server",),
     ("Terminal",)),
    ("xfce4-terminal", "a command", ("type echo Hello", "key Return"), ("Hello",)),
    ("xfce4-terminal", "a build", (MAKE, "key Return"),
     ("Compiling file 1", "Compiling file 2", "Compiling file 3", "Build complete")),
    ("xfce4-terminal", "a dialog", ("key ctrl+shift+f",), ("Find", "Search for", "text")),
    ("notify-send", "a message of a chat", (f"run {DAEMON}", "run notify-send Anna Lunch?"),
     ("Anna", "Lunch")),
    ("notify-send", "a battery", ("run notify-send -u critical Battery Empty",),
     ("Battery", "Empty")),
    ("notify-send", "a call",
     ("run notify-send -u critical -a Meet Meet Carla_is_calling",), ("Carla is calling",)),
    ("notify-send", "five steps of a build",
     ("run bash -c 'for i in one two three four five; do notify-send Build \"Step $i\"; done'",),
     tuple(f"Step {word}" for word in ("one", "two", "three", "four", "five"))),
)
PROGRAMS = tuple(dict.fromkeys(one[0] for one in SITUATIONS))
# The commands that are needed for these.
COMMANDS = ("zenity", "gtk3-widget-factory", "mousepad", "gtk4-widget-factory",
            "gnome-text-editor", "keepassxc", "focuswriter", "soffice", "xfce4-terminal",
            "notify-send", DAEMON)

# A profile of LibreOffice without its welcome.
OFFICE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="ShowTipOfTheDay" oor:op="fuse">
<value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="FirstRun" oor:op="fuse">
<value>false</value></prop></item>
<item oor:path="/org.openoffice.Setup/Product"><prop oor:name="ooSetupLastVersion" oor:op="fuse">
<value>7.4</value></prop></item>
</oor:items>"""


def missing():
    """The programs that are not installed."""
    return [name for name in COMMANDS if not shutil.which(name)]


class Programs:
    """The programs of one desktop, with a user at the keys."""

    def __init__(self, player):
        self.player = player
        self.desktop = player.desktop
        self.running = None

    def act(self, step):
        kind, _, rest = step.partition(" ")
        if kind == "key":
            self.player.press(rest)
        elif kind == "type":
            self.desktop.xdotool("type", rest)
        elif kind == "run":
            self.desktop.run(*[word.replace("_", " ") for word in shlex.split(rest)])
        elif kind == "start":
            self.start(*rest.split(": ", 1))
        elif kind == "reach":
            self.player.reach(rest)

    def start(self, title, command):
        """Starts a program in the place of the one before, and waits for its window."""
        self.end()
        words = shlex.split(command)
        if words[0] == "soffice":
            words.append(f"-env:UserInstallation=file://{self.profile()}")
        for _ in range(STARTS):
            self.running, begin = self.desktop.run(*words), time.time()
            self.desktop.activate(title)
            if self.desktop.bus.has_signal(SIGNS, begin):
                return
            # Qt tells nothing where it has missed who listens, as it may while it starts.
            self.end()
        raise Fault(f"{words[0]} tells no reader of its window")

    def profile(self):
        profile = self.desktop.directory / "office"
        shutil.rmtree(profile, ignore_errors=True)
        (profile / "user").mkdir(parents=True)
        (profile / "user/registrymodifications.xcu").write_text(OFFICE)
        return profile

    def end(self):
        if self.running:
            self.desktop.shut(self.running)
        self.running = None
