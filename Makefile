# make run                              profile the examples on the CPU backend and print their hot lines
# make run SCRIPT=train.py ARGS="..."   profile a script of yours
# make editor                           VS Code with the extension in the browser, on the examples
# make vsix                             the extension as a file to install: scopelight-VERSION.vsix
# make test                             the tests           make lint    formatting, types, import directions
# make bench                            speed, memory and overhead beside xprof
# make test-looks                       the tests of a real editor in every theme, with pictures of everything
# make fuzz N=20000                     N mutations of every recorded profile
# Each sets up what it needs in the project's folder; nothing is installed elsewhere.

SCRIPT ?=
ARGS ?=
N ?= 20000
EXAMPLES := daemon/examples/mlp.py daemon/examples/transformer.py
VENV := .venv
ENVIRONMENT := sh .ci/environment
SHELL := /bin/sh

.PHONY: run editor vsix setup setup-node kernels setup-bench protocol stub build test test-python test-extension test-editor \
    baselines lint lint-python lint-extension format fuzz bench test-looks test-jax-oldest test-jax-newest \
    test-python-newest \
    test-advice test-comparisons test-host test-hosts test-tpu clean
.DEFAULT_GOAL := run

# jax is no dependency of the package: `scopelight run` profiles with the user's own. The examples need one.
setup:
	@$(ENVIRONMENT) $(VENV) 11 14 --constraint constraints.txt --group dev --editable daemon/agent --editable .

setup-node:
	@sh .ci/node

# The first trace ever read compiles the kernels that read it, which takes longer than the examples: do it before.
kernels: setup
	@test $(VENV)/.kernels -nt $(VENV)/.made-from || { \
	    echo "Compiling what reads traces (once, half a minute)."; \
	    JAX_PLATFORMS=cpu $(VENV)/bin/scopelight run --whole --out $(VENV)/first-run \
	        daemon/examples/mlp.py --steps 20 --width 64 >$(VENV)/first-run.log 2>&1 \
	        || { cat $(VENV)/first-run.log; exit 1; }; \
	    $(VENV)/bin/python -m scopelight.formats.native.ahead; \
	    $(VENV)/bin/python -m compileall -q daemon/scopelight; \
	    touch $(VENV)/.kernels; }

setup-bench: setup
	@$(ENVIRONMENT) .venv-bench 11 13 --constraint constraints.txt --group bench

run: kernels
ifeq ($(strip $(SCRIPT)),)
	@for each in $(EXAMPLES); do \
	    echo "== scopelight run $$each"; \
	    JAX_PLATFORMS=cpu $(VENV)/bin/scopelight run $$each 2>&1 || exit $$?; \
	done
	@sh extension/scripts/open_desktop.sh daemon/examples
else
	@$(VENV)/bin/scopelight run $(SCRIPT) $(ARGS)
	@sh extension/scripts/open_desktop.sh $(firstword $(SCRIPT))
endif

editor: kernels setup-node
	@npm run --silent editor

vsix: setup build
	@npm run --silent vsix

# TypeScript's side of the protocol, from Python's.
protocol: setup
	$(VENV)/bin/python extension/scripts/generate_protocol.py
	$(VENV)/bin/python extension/scripts/generate_tools.py

# What type checkers know of the Python interface, from the table of views.
stub: setup
	$(VENV)/bin/python daemon/scripts/generate_stub.py

build: setup-node
	@npm run --silent build

test: test-python test-extension test-editor

# What captures a script or measures its steps has the machine for itself; the rest shares it.
ALONE := tests/python/agent tests/python/capture tests/python/workloads
SHARING := $(ALONE:%=--ignore %)
ADVICE := tests/python/workloads/advice
PODS := tests/python/workloads/hosts/matrix
PYTEST := $(VENV)/bin/python -m pytest

test-python: setup
	$(PYTEST) -n 2 --dist worksteal $(SHARING)
	$(PYTEST) $(ALONE) --ignore $(ADVICE) --ignore $(PODS)

# What is advised on scripts that have one trouble each, against what their repaired twins measure, and on ordinary ones.
test-advice: setup
	SCOPELIGHT_TEST_ORDINARY=1 $(PYTEST) $(ADVICE)

# Whether comparisons find a tenth more work in one of four parts, and nothing where nothing changed: 450 captures in half an
# hour or more, which are kept, so that it goes on where it was ended, and more of them or other verdicts are soon judged.
ROUNDS ?= 150
test-comparisons: kernels
	$(VENV)/bin/python tests/workloads/comparisons/experiment.py build/comparisons --rounds $(ROUNDS)

test-extension: setup setup-node
	npx vitest run --project unit

# In a real VS Code, which is installed outside the tree.
test-editor: kernels setup-node
	npx vitest run --project e2e

# The same in every theme, with pictures of everything in test-results/.
test-looks: kernels setup-node
	SCOPELIGHT_TEST_LOOKS=1 npx vitest run --project e2e

# Takes the pictures of pages anew that the tests compare with, in the colours that the editor has now.
baselines: kernels setup-node
	SCOPELIGHT_BASELINES=update npx vitest run --project e2e tests/e2e/looks/looks.test.ts -t 'shows what|has the colours'
	SCOPELIGHT_BASELINES=update npx vitest run --project e2e tests/e2e/looks/pagePictures.test.ts -t 'the page of'

# Each of the two takes a processor for minutes: `make --jobs=2 lint` has both at once.
lint: lint-python lint-extension

lint-python: setup
	$(VENV)/bin/python daemon/scripts/generate_stub.py --check
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

lint-extension: setup setup-node
	$(VENV)/bin/python extension/scripts/generate_protocol.py --check
	$(VENV)/bin/python extension/scripts/generate_tools.py --check
	@npx vscode-l10n-dev export --outDir build/l10n extension/src extension/webview >/dev/null 2>&1 \
	    && $(VENV)/bin/python daemon/scripts/export_texts.py build/l10n/bundle.l10n.json \
	    && cmp -s build/l10n/bundle.l10n.json extension/l10n/bundle.l10n.json \
	    || { echo "extension/l10n is stale: run 'npm run l10n' and commit it."; exit 1; }
	npm run --silent typecheck
	npm run --silent lint

format: setup setup-node
	npm run --silent format
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format

fuzz: setup
	$(VENV)/bin/python tests/fuzz/mutate.py --count $(N)

# Modules that were edited since are compiled before, as they are where the daemon is installed.
bench: setup-bench kernels setup-node
	$(VENV)/bin/python -m compileall -q daemon/scopelight
	$(VENV)/bin/python tests/bench/run.py --xprof .venv-bench/bin/python

# Capture against both ends of the jax versions that are supported.
test-jax-oldest: setup
	@$(ENVIRONMENT) .venv-jax-oldest 10 13 --group jax-oldest
	SCOPELIGHT_TEST_PYTHONS="$(CURDIR)/.venv-jax-oldest/bin/python" $(VENV)/bin/python -m pytest tests/python/capture tests/python/analysis/totals/test_keys_of_runs.py

test-jax-newest: setup
	@$(ENVIRONMENT) .venv-jax-newest 12 14 --group jax-newest
	SCOPELIGHT_TEST_PYTHONS="$(CURDIR)/.venv-jax-newest/bin/python" $(VENV)/bin/python -m pytest tests/python/capture tests/python/analysis/totals/test_keys_of_runs.py \
	    tests/python/program/phases/test_differentiated.py

# The agent put into jobs that nobody prepared, which Python 3.14 allows.
test-python-newest: setup
	@sh .ci/python-newest .venv-python-newest $(VENV)/bin/python
	SCOPELIGHT_TEST_PYTHON_NEWEST="$(CURDIR)/.venv-python-newest/bin/python" $(VENV)/bin/python -m pytest tests/python/capture/attaching \
	    tests/python/server/runs/test_attached_captures.py

# Idle time on lines, on each version of Python that scripts run on, with loaders of torch, grain and TensorFlow: a
# download of 800 MB.
HOST_PYTHONS := 10 11 12 13

test-host: setup
	@for each in $(HOST_PYTHONS); do \
	    $(ENVIRONMENT) .venv-host-3.$$each $$each $$each --group host-3-$$each || exit 1; \
	done
	SCOPELIGHT_TEST_PYTHONS="$$(for each in $(HOST_PYTHONS); do printf '%s:' "$(CURDIR)/.venv-host-3.$$each/bin/python"; done)" \
	    $(PYTEST) tests/python/workloads/test_idle_truth.py

# Who is named for slow steps in pods of many shapes, with all kinds of trouble or none: several processes on this machine,
# in network namespaces where a link is slow, which only root can make.
test-hosts: setup
	@$(ENVIRONMENT) .venv-jax-newest 12 14 --group jax-newest
	SCOPELIGHT_TEST_PYTHONS="$(CURDIR)/.venv-jax-newest/bin/python" $(PYTEST) $(PODS)

# Programs that are compiled here for every kind of TPU, without one: a download of 205 MB. Scripts are followed with both
# ends of the jax versions that are supported.
test-tpu: setup
	@$(ENVIRONMENT) .venv-tpu 11 13 --group tpu
	@$(ENVIRONMENT) .venv-jax-oldest 10 13 --group jax-oldest
	@$(ENVIRONMENT) .venv-jax-newest 12 14 --group jax-newest
	SCOPELIGHT_TEST_TPU_PYTHON="$(CURDIR)/.venv-tpu/bin/python" \
	SCOPELIGHT_TEST_PYTHONS="$(CURDIR)/$(VENV)/bin/python:$(CURDIR)/.venv-jax-oldest/bin/python:$(CURDIR)/.venv-jax-newest/bin/python" \
	$(PYTEST) \
	    tests/python/tpu tests/python/capture/test_tpu_library.py

clean:
	rm -rf .venv .venv-bench .venv-jax-oldest .venv-jax-newest .venv-host-3.* .venv-tpu .venv-python-newest .venv-python-newest.debian
	rm -rf node_modules extension/dist test-results *.vsix
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find daemon tests -name __pycache__ -type d -prune -exec rm -rf {} +
