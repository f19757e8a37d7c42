# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw updates @fisher-points --most 2
said draw updates @iris
said draw updates @fisher-points --fit tree
said draw feature-space @fisher-points
said draw feature-space @iris --with drop:petal_length --x petal_length
said draw scatter @fisher-points --line 1,1,100 --size 300x300 --out s.svg
said draw scatter @fisher-points --size 300 --out s.svg
said draw scatter @fisher-points --size 300x300 --width 20 --out s.svg
