# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute pac --hypotheses 973 --epsilon 0.1 --delta 0.05
said compute pac --vc 3 --m 1000 --delta 0.05 --training-error 0.1
said compute pac --hypotheses 973 --m 99 --epsilon 0.1
said compute pac --simulate conjunctions --features 4 --epsilon 0.1 --delta 0.05 --at 5,40 --runs 200
said compute pac --hypotheses 973 --epsilon 0.1
said compute pac --hypotheses 973 --epsilon 0.1 --delta 0.05 --at 3
said compute pac --simulate conjunctions --features 3 --target 1x0 --epsilon 0.1 --delta 0.05
said compute pac --simulate rectangles --target 0.2,0.8 --epsilon 0.1 --delta 0.05
said compute pac --simulate rectangles --runs 1000000 --at 100000000 --epsilon 0.1 --delta 0.05
