# SPDX-License-Identifier: MIT
# A pipe can be read only once: looking whether it holds a model must not take its first lines.
printf 'a,b\n1,x\n2,y\n' | cairn describe /dev/stdin --format json | grep '^    "rows"'
mkfifo pipe
printf 'a,b\n1,x\n2,y\n' >pipe &
timeout 10 cairn describe pipe --format json | grep '^    "rows"'
