# SPDX-License-Identifier: MIT
# Counts that are seen in part: what does not add up, or names no cell, is told.
em() { cairn compute em "$@" || echo "exit code $?"; }
em --cells 'a=1/2;b=t;c=2*t;d=1/3-3*t' --seen 'a+b=20;c=10;d=10'
em --cells 'a=1/2;b=t*t;c=2*t;d=1/2-3*t' --seen 'a+b=20;c=10;d=10'
em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+x=20;c=10;d=10'
em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=20;c=10'
em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=20;b+c=10;d=10'
em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=-20;c=10;d=10'
em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=20;c=10;d=10' --start 5
em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=20;c=10;d=10' --start-counts 'a=15;b=6'
em --cells 'a=1/2;a=1/2' --seen 'a=20'
em --cells 'nothing' --seen 'a=20'
em
em --cells 'a=1/2;b=1/2'
em --cells '' --seen ''
em --cells 'a=1/2;b=t;c=1/2-t' --seen 'a+b=0;c=0'
em --cells 'a=1/2;b=t;c=1/2-t' --seen 'a+b=20;c=10' --start ''
# by the parameter: the change from 0.095238 to 0.094828 is the first below 0.001
em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=20;c=10;d=10' --start-counts 'a=15;b=5' --tolerance 0.001 --stop parameters
