# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cairn fit --full kernel-ridge @squares --target t --lambda 0.01,0.1,1 --scale none --gamma 0.5 --steps --save m.cairn
cairn predict m.cairn @squares --explain | head -30
cairn compute gram @squares --target t --gamma 0.5 --out gram.csv --quiet >/dev/null
cairn fit --full kernel-ridge gram.csv --as gram --target t --lambda 0.01 --save given.cairn | tail -20
cairn predict given.cairn gram.csv
printf 'word,y\nkitten,1\nmitten,1.2\nsitting,2\nbanana,5\nananas,5.5\n' > words.csv
cairn fit --full kernel-ridge words.csv --target y --kinds word=text --kernel spectrum --length 2 --lambda 0.1 --save words.cairn | tail -20
printf 'word\nbitten\nbananas\n' | cairn predict words.cairn -
said fit --full kernel-ridge @squares --target t --lambda 0
said fit --full kernel-ridge @squares --target t --lambda -1
said fit --full kernel-ridge @squares --target t --gamma 1 --variance 2
said fit --full kernel-ridge @squares --target t --kernel precomputed
said fit --full kernel-ridge gram.csv --as gram --target t --kernel poly
said fit --full kernel-ridge @squares --target t --kernel edit
said fit --full kernel-ridge @squares --target t --kernel sigmoid --offset -3 --lambda 0.001
said fit --full kernel-ridge @squares --target t --kernel poly --degree 100 --scale none --factor 1e10
said predict given.cairn @squares
