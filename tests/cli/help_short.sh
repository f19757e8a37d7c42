# SPDX-License-Identifier: MIT
# The short help fits a screen or two, all of it is grouped, and the first screen is 80 wide.
cairn fit tree --help | head -n 13
test "$(cairn fit tree --help | wc -l)" -lt 90 || echo "too long"
test "$(cairn fit tree --help-all | wc -l)" -gt 300 || echo "not all"
cairn fit tree --help-all | grep -A1 -E '^(Reading the data|What the columns are for|Where the result goes)$'
cairn help kmeans | tail -n 2
cairn help kmeans --full | grep -c -e '^--'
for words in '' help; do
    cairn $words | grep -v '═' | awk 'length($0) > 80 { print "too wide: " $0 }'
done
