# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute consistency @articles --rule 'IF crime OR academic THEN 1 ELSE 0' --search conjunctions
said compute consistency @pass-fail --positive Pass --free m --rule 'score1 < m'
said compute consistency @weather --search features
said compute generality --hypothesis 'x > 1 and y < 2' --hypothesis 'x > 0' --hypothesis 'x >= 1'
for rule in '' '>= M' 'M >=' 'M' 'IF' 'IF x THEN' '(((M' '"' 'score1 >= M THEN Maybe' 'score1 + M >= 3' 'score1' 'ELSE 1 THEN 2'; do
    said compute consistency @pass-fail --free M --rule "$rule"
done
said compute consistency @pass-fail --free score1 --rule 'score1 >= 3'
said compute consistency @pass-fail --rule 'score1 >= 3' --predict 1
said compute consistency @pass-fail
said compute generality --hypothesis 'x >= 1'
said compute generality --hypothesis 'x >= 1' --hypothesis 'x +'
said compute generality @weather --hypothesis 'wind = "weak"' --hypothesis 'wnd = "weak"'
said compute consistency @weather --search rules
printf 'a,b,y\nx,u,yes\nz,u,no\nx,u,no\n' > twice.csv
said compute consistency twice.csv --target y --search rules
