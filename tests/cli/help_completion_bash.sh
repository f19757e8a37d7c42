# SPDX-License-Identifier: MIT
cairn help --completion bash >complete.bash
bash -n complete.bash
bash -c '
. ./complete.bash
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cairn; echo "${COMPREPLY[@]}"; }
try cairn fi
try cairn fit maj
try cairn fit majority @weathe
try cairn predict --out
try cairn fit majority @iris --task reg
'
