# SPDX-License-Identifier: MIT
# Completion in a real zsh under a pseudo-terminal.
command -v zsh >/dev/null && command -v python3 >/dev/null || exit 77
python3 "$ROOT/tests/cli/complete_in_shell.py" zsh
