# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute generate regress --flip 0.1
said compute generate rings --means '0,0;1,1'
said compute generate clouds --means '0,0;1,1' --y x
said compute generate classify --rows 3 | sed -n '/True/,$p'
