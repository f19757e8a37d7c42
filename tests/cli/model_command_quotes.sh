# SPDX-License-Identifier: MIT
# The command that a model keeps can be given to a shell again, whatever its words hold.
printf "a,it's\n1,x\n2,y\n3,x\n" >t.csv
cairn fit majority t.csv --target "it's" --save m.cairn --quiet
cairn describe m.cairn --format json | sed -n 's/.*"model.command": "\(.*\)".*/\1/p' | sed 's/\\\\/\\/g' >again
cat again
eval "$(cat again) --format json" | grep -c '"values"'
