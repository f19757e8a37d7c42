# SPDX-License-Identifier: MIT
# questions to a person, answered through a pipe: what is asked goes to standard error
printf 'yes\nperhaps\nteeth,short\nn\n+teeth,short,gills\nteeth=1 short=0 gills=1\nyes\n' |
    cairn compute horn --variables teeth,short,gills,beak --ask
# the input ends before the theory is found: the answers so far can be given again
printf 'no\n' | cairn compute horn --variables a,b --ask
printf 'b\nright\n' | cairn compute horn --variables a,b --answers no --ask
