# SPDX-License-Identifier: MIT
printf 'x,y\n1,a\n2,b\n3,b\n' | cairn fit majority - --target y --format json | grep model.rows
