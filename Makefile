# SPDX-FileCopyrightText: The a11yd authors
# SPDX-License-Identifier: Apache-2.0

# Builds, tries, tests and installs a11yd on Debian 12 or newer. `make` alone lists the targets.
#
#   make run                      try it: a daemon, a small application, and its announcements
#   make test lint                the checks that a change must pass
#   make release                  the programs, for this machine
#   make install DESTDIR=/tmp/x   put them in place

SWIFT ?= $(firstword $(shell command -v swift) /opt/swift/usr/bin/swift)
SUDO ?= $(if $(filter-out 0,$(shell id -u)),sudo)
PREFIX ?= /usr
SYSCONFDIR ?= /etc
# The directory of the programs for install and run; a debug build is in .build/debug.
BUILD ?= .build/release

PROGRAMS := a11yd a11yctl a11y-speech a11y-braille a11y-atspi a11y-forward a11y-demo
COMPLETIONS := bash-completion/completions zsh/vendor-completions fish/vendor_completions.d
# libstdc++ comes with g++. The units are tested with systemd and D-Bus, the keys of a11yctl in
# tmux, the braille reader with brltty, the voice with a real synthesizer and a sound server that
# leads nowhere, the bridge with a real D-Bus daemon, a real registry of AT-SPI and a real GTK
# program, the forwarder with the servers that it writes to; valgrind and strace count what an event
# costs.
PACKAGES := fish g++ git make pkg-config libbrlapi-dev libhiredis-dev libnats-dev libsimdjson-dev \
  libsqlite3-dev libsystemd-dev nats-server redis-server \
  libtomlplusplus-dev brltty dbus dbus-user-session libpam-systemd strace systemd tmux util-linux \
  valgrind zsh speech-dispatcher speech-dispatcher-espeak-ng espeak-ng pulseaudio pulseaudio-utils \
  at-spi2-core libnotify-bin python3-gi gir1.2-gtk-3.0 xvfb xauth
# The servers beside which a11yd is measured, and their libraries.
PEERS := redis-server mosquitto dbus-broker nats-server libhiredis-dev libmosquitto-dev libnats-dev \
  libsystemd-dev libsqlite3-dev

# The Python package is built with Debian's Python; another may come first in the path.
PYTHON ?= /usr/bin/python3
PYTHON_PACKAGES := python3 python3-build python3-setuptools python3-wheel

# Random tests: seconds for each fuzzer, runs of the simulator, kills of a daemon.
SECONDS ?= 60
SEEDS ?= 1000
ROUNDS ?= 100
SIMULATE := $(BUILD)/a11y-sim

.PHONY: help deps build release run test lint verify counts fuzz sim kill soak install docs \
  deps-bench bench deps-python python clean
.DEFAULT_GOAL := help

help:
	@echo "Targets of this Makefile:"
	@echo "  make run      try it: a daemon, a small application, and its announcements"
	@echo "  make deps     install the Debian packages that are missing"
	@echo "  make build    build for debugging"
	@echo "  make release  build the programs, optimised and with Swift linked in"
	@echo "  make test     run all tests"
	@echo "  make lint     check the style of the sources"
	@echo "  make verify   have systemd check the units"
	@echo "  make counts   count instructions, allocations and system calls of an event"
	@echo "  make fuzz     feed random bytes to all code that reads them; SECONDS=60 for each"
	@echo "  make sim      run the bus and its log among simulated faults; SEEDS=1000"
	@echo "  make kill     kill a daemon under load, again and again; ROUNDS=100"
	@echo "  make soak     for hours: all tests with new dice, 1,000 spoken texts, 10 minutes for each fuzzer, 100,000 runs, 1,000 kills"
	@echo "  make bench    measure, beside other servers; BENCH=--quick takes two minutes"
	@echo "  make docs     make the pages of the Swift library, in .build/docs"
	@echo "  make python   build the Python package into .build/python, as a wheel and from source"
	@echo "  make install  put everything in place; DESTDIR and PREFIX=/usr are respected"
	@echo "  make clean    remove all that was built"

deps:
	@SUDO="$(SUDO)" tools/install-packages $(PACKAGES)

build: deps
	@echo "Building for debugging with $(SWIFT)."
	@$(SWIFT) build

release: deps
	@echo "Building the programs into .build/release with $(SWIFT)."
	@$(SWIFT) build -c release --static-swift-stdlib

run: release
	@tools/run-demo $(BUILD)

test: build
	@echo "Running all tests."
	@SWIFT="$(SWIFT)" tools/run-tests

lint:
	@echo "Checking the style of Sources and Tests."
	@$(SWIFT) format lint --strict -r Sources Tests Package.swift
	@echo "Checking the shell scripts."
	@for script in .ci/run tools/*; do bash -n "$$script" || exit 1; done
	@echo "The style is fine."

verify:
	@tools/verify-units

fuzz: deps
	@SWIFT="$(SWIFT)" tools/fuzz $(SECONDS)

sim: release
	@echo "Running the simulator with $(SEEDS) seeds."
	@$(SIMULATE) --count $(SEEDS)

counts: release
	@BUILD="$(BUILD)" tools/measure-counts

kill: release
	@SWIFT="$(SWIFT)" tools/kill-rounds $(ROUNDS) $(BUILD)/a11yd

# Each target is a make of its own, so that one finding does not end the night for the others.
soak: release
	@failed=; \
	A11Y_SEED=new $(MAKE) --no-print-directory test || failed=yes; \
	echo "Speaking a thousand texts."; \
	A11Y_SPEECH_ROUNDS=18 $(SWIFT) test --disable-xctest --filter 'every text is spoken once' || failed=yes; \
	$(MAKE) --no-print-directory fuzz SECONDS=600 || failed=yes; \
	$(MAKE) --no-print-directory sim SEEDS=100000 || failed=yes; \
	for loop in flips io-faults crashes truncations; do \
	  echo "Running the simulator through all $$loop."; \
	  $(SIMULATE) --$$loop || failed=yes; \
	done; \
	$(MAKE) --no-print-directory kill ROUNDS=1000 || failed=yes; \
	if [ -n "$$failed" ]; then echo "Something was found."; exit 1; fi; \
	echo "Nothing was found."

# docc looks at every link of the articles, and takes a broken one for an error.
docs: build
	@echo "Making the pages of A11yClient."
	@tools/make-docs $(dir $(shell readlink -f $(SWIFT)))

deps-bench:
	@SUDO="$(SUDO)" Bench/install-peers $(PEERS)

# Without deps-bench the figures of the servers that are missing are left out.
bench: release
	@$(MAKE) --no-print-directory -C Bench OUT=$(abspath $(BUILD))/peers
	@echo "Measuring."
	@$(BUILD)/a11y-bench $(BENCH)

deps-python:
	@SUDO="$(SUDO)" tools/install-packages $(PYTHON_PACKAGES)

# Building writes beside the sources, hence the copy. Nothing is fetched.
python: deps-python
	@echo "Building the Python package into .build/python."
	@rm -rf .build/python && mkdir -p .build/python
	@cp -R clients/python .build/python/source && cp LICENSE .build/python/source/
	@$(PYTHON) -m build --no-isolation --outdir .build/python .build/python/source \
	  > .build/python/log 2>&1 || { cat .build/python/log; exit 1; }
	@cd .build/python && for file in *.whl *.tar.gz; do echo "Built .build/python/$$file."; done

# Units name the programs by their full path, hence sed. An existing configuration is the
# operator's, and stays.
install:
	@test -x $(BUILD)/a11yd || { echo "$(BUILD)/a11yd is not there; run make release first."; exit 1; }
	@echo "Installing the programs into $(DESTDIR)$(PREFIX)/bin."
	@install -d $(DESTDIR)$(PREFIX)/bin
	@install -m 0755 $(PROGRAMS:%=$(BUILD)/%) $(DESTDIR)$(PREFIX)/bin
	@echo "Installing the completions of shells into $(DESTDIR)$(PREFIX)/share."
	@install -d $(COMPLETIONS:%=$(DESTDIR)$(PREFIX)/share/%)
	@$(BUILD)/a11yctl completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/a11yctl
	@$(BUILD)/a11yctl completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_a11yctl
	@$(BUILD)/a11yctl completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/a11yctl.fish
	@echo "Installing units, catalog, users and directories into $(DESTDIR)$(PREFIX)/lib."
	@for manager in user system; do \
	  install -d $(DESTDIR)$(PREFIX)/lib/systemd/$$manager || exit 1; \
	  for unit in systemd/$$manager/*; do \
	    target=$(DESTDIR)$(PREFIX)/lib/systemd/$$manager/$${unit##*/}; \
	    sed 's,/usr/bin/a11y,$(PREFIX)/bin/a11y,' $$unit > $$target && chmod 0644 $$target || exit 1; \
	  done; \
	done
	@install -d $(DESTDIR)$(PREFIX)/lib/systemd/catalog
	@install -m 0644 systemd/*.catalog $(DESTDIR)$(PREFIX)/lib/systemd/catalog
	@install -D -m 0644 systemd/a11yd.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/a11yd.conf
	@install -D -m 0644 systemd/a11yd.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/a11yd.conf
	@echo "Installing the shipped configuration into $(DESTDIR)$(PREFIX)/share/a11yd."
	@install -d $(DESTDIR)$(PREFIX)/share/a11yd $(DESTDIR)$(SYSCONFDIR)/a11yd/rules.d
	@install -m 0644 Config/*.toml systemd/optional/*.conf $(DESTDIR)$(PREFIX)/share/a11yd
	@install -d $(DESTDIR)$(PREFIX)/share/a11yd/keys
	@install -m 0644 Config/keys/* $(DESTDIR)$(PREFIX)/share/a11yd/keys
	@if test -e $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml; then \
	  echo "Keeping $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml as it is."; \
	else \
	  echo "Installing $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml."; \
	  install -m 0644 Config/a11yd.toml $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml; \
	fi
	@for page in $(wildcard man/*.[1-9]); do \
	  install -D -m 0644 $$page $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/} || exit 1; \
	done
	@echo "Installed. For your session: systemctl --user enable --now a11yd.socket a11y-speech"
	@echo "Explanations in the journal: sudo journalctl --update-catalog"
	@echo "For the whole machine, as on a kiosk: sudo systemd-sysusers, then"
	@echo "sudo systemctl enable --now a11yd-publish.socket a11yd-read.socket a11yd-control.socket"

clean:
	@echo "Removing .build."
	@rm -rf .build
