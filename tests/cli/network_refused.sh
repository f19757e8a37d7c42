# SPDX-License-Identifier: MIT
# What a network refuses, warns of, or ends for.
printf 'x,y,t\n1,2,0.2\n2,1,3\n3,5,0.1\n' > rows.csv
cairn fit --full network rows.csv --target t --output sigmoid --epochs 1 | grep -c 'mean E'
cairn fit --full network rows.csv --target t --epochs 300 --eta 1e9 | grep 'ended'
cairn fit --full network rows.csv --target t --hidden 3,x
cairn fit --full network rows.csv --target t --activation step
cairn fit --full network rows.csv --target t --hold-out 0.1
cairn fit --full network rows.csv --target t --loss log
printf 'h1 = tanh(0.1 + x)\nh2 = tanh(0.1*y)\no = h1 + h2\np = h1\n' > net.txt
cairn fit --full network rows.csv --target t --start net.txt
printf 'h1 = tanh(0.1 + 2*z)\no = h1\n' > net.txt
cairn fit --full network rows.csv --target t --start net.txt
printf 'h1 = tanh(0.1 + 2*x)\no = h1 + x\n' > net.txt
cairn fit --full network rows.csv --target t --start net.txt
cairn fit --full network rows.csv --target t --precision single --update row
printf 'w,t\na b,1\nb,2\n' > words.csv
cairn fit --full recurrent words.csv --kinds w=sequence --target t --epochs 2 | grep 'epochs'
cairn fit --full recurrent words.csv --target t --epochs 2 | grep 'steps'
cairn fit --full network @iris --output threshold --epochs 5
cairn fit --full network @iris --hidden 4 --eta 1e9 --epochs 20 | grep -E 'epochs:|ended|kept:'
