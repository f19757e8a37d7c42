# SPDX-License-Identifier: MIT
# Completion in a real bash under a pseudo-terminal.
command -v bash >/dev/null && command -v python3 >/dev/null || exit 77
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo 'no terminal device'; exit 77; }
python3 "$ROOT/tests/cli/complete_in_shell.py" bash
