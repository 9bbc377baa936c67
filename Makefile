# SPDX-License-Identifier: MIT
# A thin layer over CMake: each target first installs what it needs and is missing (tools/setup).
# `make help` prints the lines from here to the first one that is no comment:
#
#   make               build/apmu, its plugin and its manual pages
#   make run           real Arm programs, counted
#   make install       PREFIX=/usr/local DESTDIR=
#   make uninstall     takes away what `make install` put down
#   make site          build/site/index.html, the register and event explorer
#   make qemu          build/qemu: a QEMU with plugins, where the system's has none
#
#   make test          all tests but the slow ones (16 minutes and more)
#   make test-all      the slow ones too
#   make test-quick    tests that run on any system, not only Debian 12
#   make test-linux    the driver under Debian's arm64 kernel, booted by QEMU and in the machine (minutes)
#   make build-tests   all that the tests need, for `cd build && ctest -R NAME`
#   make bench         the tables of speed and size
#   make accuracy      docs/accuracy-tables.md
#   make coverage      build/coverage/html
#   make lint          clang-format, clang-tidy
#
#   make format        clang-format, in place
#   make docs          tables and reference pages from spec/
#   make documents     renews the output of commands in README and docs/
#   make amalgamation  build/amalgamation: the model as apmu.h and apmu.c
#   make dist          build/dist: a release's tarballs
#   make deb           build/deb/*.deb, checked by lintian
#
#   make clean         build/ without build/qemu
#   make distclean     all of build/
#
#   JOBS=2             how many jobs run at once (and one test more, because many wait)
#   CI=true            warnings are errors

BUILD := build
PREFIX ?= /usr/local
JOBS ?= 2
WERROR := $(if $(filter true,$(CI)),ON,OFF)
CTEST := ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(shell expr $(JOBS) + 1)

all: build

help:
	@sed -n -e '1,/^#$$/d' -e '/^#/!q' -e 's/^# \{0,1\}//p' Makefile

build:
	tools/setup
	cmake --preset default -DAPMU_WERROR=$(WERROR)
	cmake --build $(BUILD) -j $(JOBS) --target apmu-command manual

run: build
	tools/fetch-guests $(BUILD)/guests
	tools/demo $(BUILD)

build-tests:
	tools/setup --test
	cmake --preset default -DAPMU_WERROR=$(WERROR)
	cmake --build $(BUILD) -j $(JOBS)

test: build-tests
	$(CTEST) -LE slow

test-all: build-tests
	tools/setup --slow
	APMU_TEST_ALL=1 $(CTEST)

# Any system: a real Arm program, the tests of the libraries, and the tests of the command that do not need Debian 12.
QUICK := ^(unit|spec|conformance|property|walk|driver)/|^examples/(embed|toy)|^builds/libraries$$|^cli/(list|decode|stat_text|stat_json|record|bad_input)$$
QUICK := $(QUICK)|^guest/(aarch64|busybox|command|exact|foreign|instructions|record_exact|processes)$$
test-quick: run
	tools/setup --quick
	cmake --preset default -DAPMU_WERROR=$(WERROR)
	cmake --build $(BUILD) -j $(JOBS)
	$(CTEST) -LE slow -R '$(QUICK)'

test-linux: build-tests
	$(CTEST) -V -R '^guest/kernel'

bench: build
	tools/setup --test
	cmake --build $(BUILD) -j $(JOBS) --target benchmarks
	tools/fetch-guests $(BUILD)/guests
	tools/bench $(BUILD)

accuracy: build
	tools/setup --test --accuracy
	tools/fetch-guests $(BUILD)/guests --boards
	tools/fetch-guests $(BUILD)/guests --lzma
	tests/accuracy/build.sh $(BUILD)/accuracy $(BUILD)/guests/lzma
	tools/fetch-guests $(BUILD)/guests --gmp
	tools/fetch-guests $(BUILD)/guests --openssl
	tools/fetch-guests $(BUILD)/guests --crypto
	tools/fetch-guests $(BUILD)/guests --libcrypto
	tools/fetch-guests $(BUILD)/guests --ciphers
	tools/fetch-guests $(BUILD)/guests --video
	tools/fetch-guests $(BUILD)/guests --video-trixie
	tests/accuracy/loops.py $(BUILD)/apmu $(BUILD) --write
	python3 tests/accuracy/tables.py $(BUILD)/apmu $(BUILD)/accuracy
	tests/accuracy/band.py
	tests/accuracy/plots.py

docs:
	tools/setup --test
	tools/specgen
	tools/specgen_uarch.py
	for picture in docs/pictures/*.dot; do dot -Tsvg "$$picture" -o "$${picture%.dot}.svg"; done

documents: build-tests
	tools/documents $(BUILD) --write

site:
	tools/setup --site
	tools/site $(BUILD)/site

coverage:
	tools/setup --test --coverage
	tools/coverage

install: build
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

uninstall:
	tools/uninstall $(BUILD) "$(DESTDIR)"

qemu:
	tools/setup --qemu

dist:
	tools/setup --python
	tools/dist $(BUILD)

amalgamation:
	tools/setup --python
	tools/amalgamate $(BUILD)/amalgamation

deb:
	tools/setup --deb --qemu
	tools/package-deb $(BUILD)/deb

format:
	tools/setup --lint
	tools/sources | xargs clang-format -i

lint: build-tests
	tools/setup --lint
	tools/lint $(BUILD) $(JOBS)

# build/qemu stays: it takes minutes to build and depends on no file of the tree.
clean:
	[ ! -d $(BUILD) ] || find $(BUILD) -mindepth 1 -maxdepth 1 ! -name qemu -exec rm -rf {} +

distclean:
	rm -rf $(BUILD)

.PHONY: all help build run build-tests test test-all test-quick test-linux bench accuracy docs documents site coverage install uninstall qemu dist amalgamation deb
.PHONY: format lint clean distclean
