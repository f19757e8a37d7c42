# SPDX-License-Identifier: MIT
# A search that was stopped goes on from its journal and says the same.
cairn tune --full tree @iris --over max-depth=1:4 --outer cv:3 --journal j --save best.cairn >whole 2>/dev/null
head -n 5 j >cut
printf 'all 150 max-depth=4\t0.5' >>cut
mv cut j
cairn tune --full tree @iris --over max-depth=1:4 --outer cv:3 --journal j >again
cmp whole again && wc -l <j
cat whole
cairn predict best.cairn @iris | head -n 2
