# SPDX-License-Identifier: MIT
# Every command that a topic names runs.
cairn list topics --format json | sed -n 's/^    "topics\.\([^"]*\)".*/\1/p' >topics
test "$(wc -l <topics)" -gt 10 || echo "too few topics"
while read -r topic; do
    cairn help "$topic" | sed '/^Found for/,$d' | grep '^cairn ' >commands
    test -s commands || echo "$topic: no commands"
    while read -r line; do
        eval "$line" </dev/null >/dev/null 2>err || { echo "$topic: $line"; cat err; }
    done <commands
done <topics
