# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A program with AccessKit and without a window, which does what it is told line by line:
polite TEXT, assertive TEXT, focus save, focus name."""

import sys
import threading

import accesskit
from accesskit import Action, Live, Node, Role, Tree, TreeUpdate

ROOT, CONTROLS = 1, {"save": 2, "name": 3}
REGIONS = {"polite": 4, "assertive": 5}
texts = {}
focus = CONTROLS["save"]
is_active = threading.Event()


def window():
    node = Node(Role.WINDOW)
    node.set_label("Contacts")
    node.set_children([*CONTROLS.values(), *(REGIONS[word] for word in texts)])
    return ROOT, node


def control(name):
    node = Node(Role.BUTTON if name == "save" else Role.TEXT_INPUT)
    node.set_label(name.capitalize())
    node.add_action(Action.FOCUS)
    return CONTROLS[name], node


def region(word):
    node = Node(Role.LABEL)
    node.set_value(texts[word])
    node.set_live(Live.POLITE if word == "polite" else Live.ASSERTIVE)
    return REGIONS[word], node


def update(*nodes):
    change = TreeUpdate(focus)
    change.nodes = list(nodes)
    return change


def activate():
    tree = update(window(), *map(control, CONTROLS), *map(region, texts))
    tree.tree = Tree(ROOT)
    is_active.set()
    return tree


adapter = accesskit.unix.Adapter(activate, lambda request: None, lambda: None)
adapter.update_window_focus_state(True)
is_active.wait()
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "focus":
        focus = CONTROLS[rest]
        adapter.update_if_active(update)
    else:
        nodes = [] if word in texts else [window]
        texts[word] = rest
        adapter.update_if_active(lambda: update(*(node() for node in nodes), region(word)))
