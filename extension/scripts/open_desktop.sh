#!/bin/sh
# Opens the folder of a script in the desktop VS Code with the extension, where there is a `code` command; the end of
# `make run`.
#
#   sh extension/scripts/open_desktop.sh SCRIPT|FOLDER|-m
#
# The profile is there already, so nothing that goes wrong here is an error.
set -eu
case $1 in
    -*) folder=. ;; # a module: the current folder holds it
    *) if [ -d "$1" ]; then folder=$1; else folder=$(dirname "$1"); fi ;;
esac
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/../.."

command -v code >/dev/null 2>&1 || exit 0
if ! command -v npm >/dev/null 2>&1; then
    echo "VS Code is here, but Node.js 20 or later, which builds the extension, is not: the lines stay in the terminal."
    exit 0
fi
echo "Opening $folder in VS Code with Scopelight (the first time builds the extension)."
mkdir -p build
log=build/open-desktop.log
workspace=build/$(basename "$folder").code-workspace
"${PYTHON:-.venv/bin/python}" - "$folder" "$PWD/.venv/bin/python" >"$workspace" <<'END'
import json, sys
folder, python = sys.argv[1:]
settings = {"scopelight.interpreter": python, "scopelight.daemon.environment": "interpreter"}
print(json.dumps({"folders": [{"path": folder}], "settings": settings}, indent=1))
END
if make --silent vsix >"$log" 2>&1 \
    && code --install-extension scopelight-*.vsix --force >>"$log" 2>&1 \
    && code "$workspace" >>"$log" 2>&1; then
    exit 0
fi
echo "VS Code could not be opened with the extension: see $log. The lines above are complete."
