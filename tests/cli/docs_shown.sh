# SPDX-License-Identifier: MIT
# Pages show below their commands what the commands print.
command -v python3 >/dev/null || exit 77
cd "$ROOT" || exit 1
python3 tests/cli/docs_shown.py README.md docs/*.md docs/*/*.md
