#!/bin/sh
# Puts the daemon beside the extension's bundle, for extension/dist: its wheels (scopelight, and scopelight-agent, which it
# puts into scripts), and the exact versions of what it needs.
#
#   sh extension/scripts/build_wheel.sh
#
# PYTHON=... chooses the interpreter whose pip builds it; else that of .venv, else python3.
set -eu
cd "$(dirname "$0")/../.."

if [ -z "${PYTHON:-}" ]; then
    PYTHON=.venv/bin/python
    [ -x "$PYTHON" ] || PYTHON=python3
fi

dist=extension/dist
mkdir -p "$dist"
rm -f "$dist"/scopelight*.whl
"$PYTHON" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$dist" . ./daemon/agent

# The other sections of constraints.txt are about tests and development.
awk '/^# What scopelight needs/ { wanted = 1 } wanted && /^$/ { exit } wanted' constraints.txt >"$dist/constraints.txt"
[ -s "$dist/constraints.txt" ] || { echo "constraints.txt has no section of what scopelight needs." >&2; exit 1; }
