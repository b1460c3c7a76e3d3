#!/usr/bin/env bash
# Installs what the end-to-end tests drive, from npm alone: the VS Code 1.100 server that is inside code-server 4.100.3,
# with the native modules that its terminals, log and watcher need. Quick when it has been done.
#
# Usage: install_vscode.sh [FOLDER]     FOLDER: ${XDG_CACHE_HOME:-~/.cache}/scopelight-vscode/100
# Writes FOLDER/env with the paths of NODE, ENTRY (the server) and CHROME (a browser, or $CHROME_BIN).
set -euo pipefail

CODE_SERVER=4.100.3
NATIVE_MODULES="@vscode/spdlog native-watchdog node-pty"
RECIPE=1 # raise it when what is installed changes

folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/scopelight-vscode/100}
npm_quietly=(npm --no-audit --no-fund --loglevel=error)

refuse() {
    echo "install_vscode.sh: $*" >&2
    exit 1
}

say() {
    printf '[%3ds] %s\n' "$SECONDS" "$*" >&2
}

# Installs a Debian package where that is allowed without asking.
from_debian() {
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
    say "apt-get install $*"
    { apt-get update && apt-get install -y --no-install-recommends "$@"; } >"$folder/apt.log" 2>&1
}

browser() {
    if [ -n "${CHROME_BIN:-}" ]; then
        [ -x "$CHROME_BIN" ] || refuse "CHROME_BIN is $CHROME_BIN, which is no program."
        echo "$CHROME_BIN"
        return
    fi
    local name
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" && return
    done
    return 1
}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

node=$(command -v node) || refuse "node was not found: install Node.js 20 or later."
[ "$("$node" -p 'process.versions.node.split(".")[0]')" -ge 20 ] || refuse "$node is too old: Node.js 20 or later is needed."

chrome=$(browser) || { from_debian chromium && chrome=$(browser); } ||
    refuse "No browser was found: install Chromium (apt-get install chromium), or name one in CHROME_BIN."
ripgrep=$(command -v rg) || { from_debian ripgrep && ripgrep=$(command -v rg); } ||
    refuse "rg was not found: install ripgrep (apt-get install ripgrep)."

vscode=$folder/code-server/node_modules/code-server/lib/vscode
installed="$RECIPE $CODE_SERVER $("$node" --version)"
if [ "$(cat "$folder/installed" 2>/dev/null)" != "$installed" ]; then
    headers=$("$node" -p 'path.dirname(path.dirname(fs.realpathSync(process.execPath)))')
    [ -f "$headers/include/node/node.h" ] ||
        refuse "The headers of Node.js are not in $headers/include/node: install them (package libnode-dev or nodejs of NodeSource)."
    command -v c++ >/dev/null && command -v make >/dev/null || from_debian build-essential ||
        refuse "A C++ compiler and make were not found: install them (package build-essential)."
    gyp=$("$node" -p 'fs.realpathSync(process.argv[1])' "$(command -v npm)")
    gyp=$(dirname "$(dirname "$gyp")")/node_modules/node-gyp/bin/node-gyp.js
    [ -f "$gyp" ] || refuse "node-gyp was not found beside npm, at $gyp."

    rm -rf "$folder/code-server" "$folder/installed"
    mkdir -p "$folder/code-server"
    cd "$folder/code-server"
    echo '{"private": true}' >package.json
    "${npm_quietly[@]}" install --save-exact --ignore-scripts "code-server@$CODE_SERVER" >/dev/null
    say "code-server $CODE_SERVER"
    cd "$vscode"
    "${npm_quietly[@]}" ci --omit=dev --ignore-scripts --legacy-peer-deps >/dev/null
    say "its dependencies"
    for module in $NATIVE_MODULES; do
        (cd "node_modules/$module" && "$node" "$gyp" rebuild --nodedir="$headers" >"$folder/gyp.log" 2>&1) ||
            { tail -20 "$folder/gyp.log" >&2; refuse "$module could not be built: the log is $folder/gyp.log."; }
        say "$module"
    done
    mkdir -p node_modules/@vscode/ripgrep/bin
    ln -sfn "$ripgrep" node_modules/@vscode/ripgrep/bin/rg
    ln -sfn node_modules node_modules.asar
    echo "$installed" >"$folder/installed"
fi

printf 'NODE=%s\nENTRY=%s\nCHROME=%s\n' "$node" "$vscode/out/server-main.js" "$chrome" >"$folder/env"
cat "$folder/env"
