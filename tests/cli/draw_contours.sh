# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw contours --gaussian 0,0,1,1,0.8 --gaussian 3,0,1,1,0.8
said draw contours --function 'x^2 + y^2' --levels 1,4
said draw contours --gaussian 0,0,1,1,2
said draw contours @collinear
said draw distance-circles --distance manhattan --distance euclidean
said draw distance-circles --distance cosine
