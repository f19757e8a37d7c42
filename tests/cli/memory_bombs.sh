# SPDX-License-Identifier: MIT
# Bombs of every format stay under --memory; those of workbooks and databases where their modules are.
command -v python3 >/dev/null || exit 77
python3 -c 'import sqlite3, zlib' 2>/dev/null || exit 77
modules=
folder=$(dirname "$(command -v cairn)")
[ -f "$folder/cairn-xlsx.so" ] && [ -f "$folder/cairn-sqlite.so" ] && modules=modules
python3 "$ROOT/tests/cli/memory_bombs.py" $modules
