# SPDX-License-Identifier: MIT
# The M step with its numbers: two ends (15 of 25 at one sixth, the linkage of 197 animals), three
# places, and counts that all pull one way; total probability is that of a question.
cairn compute em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=20;c=10;d=10' --start-counts 'a=15;b=5' --max-iter 1 --steps | head -n 25
cairn compute em --cells 'a=1/2;a2=t/4;b=1/4-t/4;c=1/4-t/4;d=t/4' --seen 'a+a2=125;b=18;c=20;d=34' --start 0.5 --max-iter 1 --steps | sed -n '/^Step 2/,/E.a/p'
cairn compute em --cells 'a=1/2+t/4;b=1/4-t/4;c=1/4-t/4;d=t/4' --seen 'a=125;b=18;c=20;d=34' --max-iter 1 --steps | sed -n '/^Step 2/,/halving/p'
cairn compute em --cells 'a=t-1;b=2-t' --seen 'a+b=10' --start 1.2 --max-iter 1 --steps | grep ' t = ('
cairn compute em --cells 'a=t;b=1-t' --seen 'a=10;b=0' --max-iter 1 --steps | sed -n '/^Step 2/,/nowhere/p'
cairn compute joint --variables toothache,cavity --table 0.12,0.08,0.08,0.72 --by toothache
exit 0
