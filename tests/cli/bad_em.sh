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
