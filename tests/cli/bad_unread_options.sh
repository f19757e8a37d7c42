# SPDX-License-Identifier: MIT
# Options about data and columns are refused where they would do nothing.
printf 'state,action,reward,w\na,go,1,2\nb,go,2,1\n' >e.csv
cairn fit tree @iris --target species --save t.cairn --quiet >/dev/null
said() { cairn "$@" --quiet; echo "exit $?"; }
said compute odds --prior 1:6 --evidence x=4:1 --where 'x > 1'
said compute odds --prior 1:6 --evidence x=4:1 --weight w
said compute distribution t --parameters 9 --features x
said compute impurity --counts 9,5 --target play
said compute episodes @walks --method td --gamma 1 --ignore action
said compute independence @weather --weight outlook
said compute posterior @weather --weight outlook
said compute chain e.csv --weight w
said compute t-test @cv-differences --weight fold
said compute confusion t.cairn @iris --ignore petal_width
said compute confusion t.cairn @iris --target petal_width
said compute shapley t.cairn @iris --weight petal_width
said draw impurity --weight w
said draw tree t.cairn --where 'petal_width > 1'
said fit tree @iris --target species --weight petal_width,petal_length
said predict t.cairn @iris --features petal_width
said predict t.cairn @iris --weight petal_width
said evaluate t.cairn @iris --weight petal_width
said describe t.cairn --ignore petal_width
cairn predict t.cairn @iris --target species --quiet | tail -1
