#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of other programs against ours, in a folder that is removed whatever happens: foreign.sh CAIRN
# Ends with 77 (skipped) where there is no node or none of the packages (foreign.mjs names them).
set -eu
command -v node >/dev/null ||
    { echo "there is no node, which runs the programs whose files are compared"; exit 77; }
folder=$(mktemp -d /tmp/cairn-foreign-XXXXXX)
trap 'rm -rf "$folder"' EXIT INT TERM HUP
node "$(dirname "$0")/foreign.mjs" "$1" "$folder"
