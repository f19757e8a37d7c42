# SPDX-License-Identifier: MIT
# Updates on the board, a policy on the map, and files that cannot be learned from.
cairn compute episodes @walks --method sarsa --alpha 0.5 --steps --show 5
cairn compute episodes @walks --method mc --averages --first-visit --steps --show 3
cairn compute world --method td --linear --alpha 0.05 --episodes 3 --steps --show 2 --policy random --seed 4
cairn compute world --method q-learning --episodes 200
printf 'episode,step,state,action,reward\n1,1,A,x,0\n1,1,B,y,1\n' >steps.csv
cairn compute episodes steps.csv; echo "exit $?"
printf 'episode,step,state,action,reward\n1,1,A,x,0\n2,1,B,y,1\n1,2,A,x,1\n' >apart.csv
cairn compute episodes apart.csv; echo "exit $?"
printf 'episode,step,state,action,reward\n1,1,A,x,0\n1,2,B,,1\n1,3,A,x,1\n' >action.csv
cairn compute episodes action.csv; echo "exit $?"
printf 'state,action,reward\nA,x,0\n,y,0\n' >state.csv
cairn compute episodes state.csv; echo "exit $?"
printf 'state,action,reward\nA,x,?\nB,y,0\n' >reward.csv
cairn compute episodes reward.csv; echo "exit $?"
printf 'state,reward\nA,0\nB,0\n' >none.csv
cairn compute episodes none.csv; echo "exit $?"
cairn compute episodes @walks --state-features state; echo "exit $?"
cairn compute episodes @iris --method td; echo "exit $?"
cairn compute world --map '..;.'; echo "exit $?"
cairn compute world --map 'S.;.x'; echo "exit $?"
cairn compute world --map 'SG;;..'; echo "exit $?"
cairn compute world --map '..;.G'; echo "exit $?"
cairn compute world --map 'S.;..'; echo "exit $?"
cairn compute world --gamma 1 --living 0.1; echo "exit $?"
cairn compute world --method td --linear --alpha 1 --gamma 1; echo "exit $?"
