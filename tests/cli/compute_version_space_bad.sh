# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute version-space @mushroom --language disjunction
said compute version-space @iris
said compute version-space @weather --limit 5 --where 'day = "D1"'
said compute version-space @enjoysport --hypothesis '(sunny, ?, ?, ?, wet, ?)'
said compute version-space @enjoysport --predict sunny,warm
said compute hypothesis-space
