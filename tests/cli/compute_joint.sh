# SPDX-License-Identifier: MIT
# Questions to a table of outcomes: counted rows, notation, and what is refused.
T='--variables toothache,catch,cavity --table 0.108,0.016,0.012,0.064,0.072,0.144,0.008,0.576'
cairn compute joint $T --query 'P(cavity | toothache)' --query '~cavity, toothache | catch' --by catch --steps
cairn compute joint @weather --variables outlook,play --query 'P(play | outlook = sunny)' --query 'P(outlook)'
cairn compute joint @titanic --variables sex,pclass --query 'P(sex = female and pclass = 1)' 2>&1 | tail -n 1
cairn compute joint @titanic --variables sex,survived --query 'P(survived | sex = female)' --query 'P(abs(survived - 1) > 0)' 2>&1 | tail -n 16
cairn compute independence @titanic --of sex,survived
cairn compute joint $T --query 'P(cavity | toothache and not toothache)'
cairn compute joint $T --query 'P(cavityy)'
cairn compute joint $T --query 'P()'
cairn compute joint $T --query 'P(cavity and (catch)'
cairn compute joint --variables a,b --table 0.5,0.5,0.1,0.1
cairn compute joint --variables a,b --table 0.5,0.5
cairn compute joint --variables a=x//y --table 0.5,0.2,0.3
cairn compute joint --table 1
cairn compute joint
cairn compute joint --variables w=sun/rain/snow --table 0.5,0.25,0.25 --query 'P(w = sun or w)'
cairn compute independence $T --event cavity
cairn compute independence @weather --of outlook,wind --given play --tolerance 0.05
cairn compute independence $T --of cavity,teeth
cairn compute joint @weather --query 'P(play = maybe)'
cairn compute joint @weather --query "P(play = 'maybe' or wind = strong)"
cairn compute joint $T --query 'P(cavity'
cairn compute independence --variables first=H/T,second=H/T --table 0.25,0.25,0.25,0.25 --event 'A: first = H' --event 'B: second = H' --event 'C: (first = H) != (second = H)' --steps | head -n 12
cairn compute independence @weather --of outlook,wind --given play --steps
exit 0
