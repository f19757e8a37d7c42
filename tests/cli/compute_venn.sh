# SPDX-License-Identifier: MIT
# regions of events: typed, counted, drawn, refused
cairn compute venn --probabilities 'A=0.5, B=0.4, A&B=0.2' --steps
cairn compute venn @weather --event 'sunny: outlook = sunny' --event 'play = yes'
cairn draw venn --probabilities 'A=0.5, B=0.4, C=0.3, A&B=0.2, A&C=0.15, B&C=0.12, A&B&C=0.06'
for p in 'A=0.5' 'A=0.5,B=0.5' 'A=0.2,B=0.4,A&B=0.3' 'A=2,B=1,A&B=1' 'A=0.5,B=0.2,A&D=0.1' 'A=0.2,A=0.1,B=0.4,A&B=0.1' \
    'A=.1,B=.1,C=.1,D=.1' 'A,B'; do
    cairn compute venn --probabilities "$p"
done
cairn compute venn @weather --probabilities 'A=0.5,B=0.5,A&B=0.2'
cairn compute venn @weather
true
