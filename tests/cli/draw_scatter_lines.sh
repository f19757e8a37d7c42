# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw scatter @fisher-points --line A=1,1,-5 --normal --query 2,2 --marks hollow
said draw scatter @fisher-points --fit logistic:lambda=1
said draw scatter @fisher-points --line 1,2,3,4
said draw scatter @fisher-points --line 0,0,1
said draw scatter @fisher-points --half-planes
said draw regions @fisher-points --fit knn:k=3 --grid 20
said draw regions @fisher-points
said draw scatter @fourteen-points --marks names
