# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

"""A window with a control of each everyday kind, for a person who goes through it by keys."""

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

window, box = Gtk.Window(title="Keys"), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)


def add(text, control):
    label = Gtk.Label(label=text)
    label.set_mnemonic_widget(control)
    box.add(label)
    box.add(control)
    return control


add("Your name and your town", Gtk.Entry(text="Ada Lovelace of London"))
box.add(Gtk.CheckButton(label="Send me the weather of each week by mail"))
first = Gtk.RadioButton(label="In the morning, before breakfast")
box.add(first)
box.add(Gtk.RadioButton(label="In the evening, after the news", group=first))
add("How loud it is to be", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 9, 1))

days = Gtk.ListStore(str)
for day in ("Monday with rain", "Tuesday with wind", "Wednesday with fog", "Thursday with sun"):
    days.append([day])
rows = Gtk.TreeView(model=days)
rows.append_column(Gtk.TreeViewColumn("Days", Gtk.CellRendererText(), text=0))
add("The days of the week", rows)

text = add("What else there is to say", Gtk.TextView(accepts_tab=False))
text.get_buffer().set_text("The first line has five words.\nThe second is 2 °C!\nAnd a third one.")
box.add(Gtk.Button(label="Send all of this to the office"))
box.add(Gtk.Button(label="Leave it for another day"))

window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
