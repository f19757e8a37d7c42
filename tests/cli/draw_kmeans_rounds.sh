# SPDX-License-Identifier: MIT
# k-means round by round, before and after rescaling, and memberships as colours; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw kmeans-rounds @kmeans-seven --clusters 2 --rounds 2
said draw kmeans-rounds @kmeans-twelve --clusters 2 --rescaling --out ends.svg
grep -c '<path\|<use\|<circle' ends.svg >/dev/null && echo drawn
said draw memberships @kmeans-six --exemplars '1,1;4,3' --soft fuzzy --out soft.svg
grep -o '#[0-9a-fA-F]\{6\}' soft.svg | sort -u | head -8
said draw kmeans-rounds @five-values
said draw kmeans-rounds @kmeans-seven --clusters 8
said draw kmeans-rounds @kmeans-seven --init frist
said draw memberships @five-values --labels a,a,b,b,b
