#!/bin/sh
# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

# Adds keys for a11yd to GNOME's own shortcuts, once, behind those that are there. Run it as the
# person who is to have the keys:
#   sh /usr/share/a11yd/keys/gnome.sh

set -eu

media=org.gnome.settings-daemon.plugins.media-keys
folder=/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings

# add NAME KEY COMMAND TITLE
add() {
    place=$folder/a11yd-$1/
    schema=$media.custom-keybinding:$place
    gsettings set "$schema" name "$4"
    gsettings set "$schema" command "$3"
    gsettings set "$schema" binding "$2"
    list=$(gsettings get $media custom-keybindings)
    case $list in
        *"'$place'"*) return ;;
        "@as []" | "[]") list="['$place']" ;;
        *) list="${list%]}, '$place']" ;;
    esac
    gsettings set $media custom-keybindings "$list"
}

add stop '<Super><Alt>s' 'a11yctl stop' 'Silence speech'
add again '<Super><Alt>a' 'a11yctl again' 'Speak the last text again'
add quiet '<Super><Alt>q' 'a11yctl quiet "30 min"' 'Have announcements wait for half an hour'
add loud '<Super><Alt><Shift>q' 'a11yctl quiet off' 'Let announcements be heard again'
add why '<Super><Alt>w' 'sh -c "a11yctl announce --priority high \"$(a11yctl why)\""' \
    'Say why the last text was not heard'
echo "The keys are there: Super and Alt with S, A, Q, Shift Q and W."
