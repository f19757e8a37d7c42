# SPDX-License-Identifier: MIT
# The first screen of every verb holds the answer in its first lines and is no longer than a screen.
command -v python3 >/dev/null || exit 77
exec python3 "$ROOT/tests/cli/first_screens.py"
