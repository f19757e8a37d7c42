# SPDX-License-Identifier: MIT
# Files of a lesson are called what the lesson calls them, and two runs are the same bytes.
for lesson in $(cd "$ROOT/lessons" && grep -l -e '"--given"' -e '--members-file' *.json); do
    name=${lesson%.json}
    cairn lesson "$name" >one 2>&1
    cairn lesson "$name" >two 2>&1
    cmp one two || echo "$name differs"
    grep -n "${TMPDIR:-/tmp}/cairn-" one
done
echo done
