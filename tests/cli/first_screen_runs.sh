# SPDX-License-Identifier: MIT
# The lines of the first screen can be typed as they stand, in their order.
cairn | sed -n 's/^.\{12\}\(cairn .*\)/\1/p' | sed 's/   .*//' >lines
test "$(wc -l <lines)" -ge 10 || echo "too few lines"
while read -r line; do
    eval "$line" </dev/null >/dev/null 2>err || { echo "$line"; cat err; }
done <lines
# Every line that 'list' and 'help' say to type is taken.
cairn list | grep -o 'cairn list [a-z]*' >lines
while read -r line; do eval "$line" >/dev/null 2>err || { echo "$line"; cat err; }; done <lines
