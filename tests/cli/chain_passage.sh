# SPDX-License-Identifier: MIT
# Markov chains: where they end and after how long, first visits, and starts of EM.
cairn compute chain --states 0,1,2,3 --transitions '1,0,0,0;0.5,0,0.5,0;0,0.5,0,0.5;0,0,0,1' --reach '3' --steps |
    sed -n '/^Step 2/,$p'
cairn compute chain --states rain,dry --transitions '0.3,0.7;0.2,0.8' --reach dry | tail -4
cairn compute chain --states rain,dry --transitions '0.3,0.7;0.2,0.8' --reach snow
cairn compute chain --states rain,dry --transitions '0.3,0.7;0.2,0.8' --reach ' '
cairn compute chain --chain-order 2 --states rain,dry --transitions '0.6,0.4;0.3,0.7;0.4,0.6;0.1,0.9' --reach dry | tail -1
cairn compute em --cells 'a=1/2;b=t;c=2*t;d=1/2-3*t' --seen 'a+b=20;c=10;d=10' --start 0.1 --starts 4
exit 0
