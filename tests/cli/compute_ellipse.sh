# SPDX-License-Identifier: MIT
# elliptical distances: of a rotation and a scaling, typed, of the rows of classes
cairn compute ellipse --angle 45 --scaling 0.5,1 --radius 0.5 --steps --points 'P=1,1;Q=0,1'
cairn compute ellipse --matrix '[2,0,0;0,1,0;0,0,4]' --points 1,1,1
cairn compute ellipse @iris --features petal_length,petal_width --target species --steps | head -40
cairn compute ellipse @iris --features petal_length,petal_width --from identity --ignore species | grep -A 4 '^M$'
cairn compute ellipse --matrix '[1,2;2,1]' || echo $?
cairn compute ellipse --matrix '[1,2;3,1]' || echo $?
cairn compute ellipse --scaling 1,2 --rotation '[1,0;1,1]' || echo $?
cairn compute ellipse --scaling 1,-2 || echo $?
cairn compute ellipse --matrix '[1,0;0,1]' --scaling 1,2 || echo $?
printf 'x,y\n1,2\n2,4\n3,6\n' | cairn compute ellipse - || echo $?
printf 'x,y\n1,2\n2,4\n' | cairn compute ellipse - || echo $?
cairn draw ellipse @iris --target species || echo $?
