# SPDX-License-Identifier: MIT
# A pager for what is longer than the screen, ten rows of predictions; a pipe gets everything.
command -v python3 >/dev/null || exit 77
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo 'no terminal device'; exit 77; }
cairn fit tree @iris --save m.cairn --quiet >/dev/null
python3 "$ROOT/tests/cli/screen_in_terminal.py"
