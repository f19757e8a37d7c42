# SPDX-License-Identifier: MIT
cairn evaluate majority @weather --by cv:1; echo $?
cairn evaluate majority no-such-file.csv --by cv:1; echo $?
