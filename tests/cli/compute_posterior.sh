# SPDX-License-Identifier: MIT
cairn compute posterior --table '0.31,0.69;0.65,0.35;0.8,0.2;0.4,0.6' --features viagra,lottery \
    --classes spam,ham --chances 0.9,0.9,0.1,0.1 --observed '?,1' --steps
cairn compute posterior --given likelihood --table '0.5,0.8;0.3,0.15;0.2,0.05' --values 3 --prior 0.25,0.75 --steps
cairn compute posterior --given counts --table '3,1,0;1,4,2;0,0,5;2,2,2' --observed '1,?'
cairn compute posterior --table '0.5,0.6;0.4,0.6' 2>&1
cairn compute posterior --table '0.5,0.5;0.4,0.6;0.1,0.9' 2>&1
cairn compute posterior --table '0.5,0.5;0.4,0.6' --observed 2 2>&1
cairn compute posterior --given counts --table '0,0;1,2' --observed 0 2>&1
cairn compute posterior --given likelihood --table '0.5,0.8;0.3,0.15;0.2,0.05' --values 3 --counts '10,8;6,1;4,1'
cairn compute posterior --given likelihood --table '0.5,0.8;0.3,0.15;0.2,0.05' --values 3 --counts '10,8;6,1' 2>&1
cairn compute posterior --given likelihood --table '0.5,0.8;0.3,0.15;0.2,0.05' --values 3 --prior 0.25,0.7 2>&1
