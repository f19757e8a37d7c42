# SPDX-License-Identifier: MIT
# A tree that nothing limits: pruned from 100 rows on, whole below; an option that limits counts alone.
for options in "" "--preset full" "--max-depth 30" "--min-leaf 1"; do
    echo "titanic $options"
    cairn fit --full tree @titanic $options | grep -E '^(nodes|leaves)'
done
cairn fit --full tree @weather | grep -E '^(nodes|leaves)'
