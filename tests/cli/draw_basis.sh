# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw basis --with basis:sigmoid,count=3
said draw basis --low 2 --high 1
said draw basis @weather
said draw basis @iris --column petal_width --with bins:3
said draw basis --with drop:x
