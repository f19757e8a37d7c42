# SPDX-License-Identifier: MIT
# Progress has a phase and a share, never starts over, and --quiet has none.
command -v python3 >/dev/null || exit 77
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo 'no terminal device'; exit 77; }
python3 "$ROOT/tests/cli/progress_in_terminal.py"
