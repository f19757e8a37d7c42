# SPDX-License-Identifier: MIT
cairn compare --full majority tree:max-depth=2 --on @weather @iris --by cv:5 |
    sed -E '/^Models/,/^Split/s/ +[0-9]{4,}  /  BYTES  /'
