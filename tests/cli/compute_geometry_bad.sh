# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute vectors
said compute vectors --vectors 'x=1,2;y=1,2,3'
said compute vectors --vectors 'x=1,2;x=3,4'
said compute vectors --vectors '=1,2'
said compute vectors --vectors 'x=1,2;y=0,inf'
said compute vectors --vectors ';'
said compute vectors --vectors 'x=1,2;y=3,4' --expression 'x*y'
said compute vectors --vectors 'x=1,2;y=3,4' --expression 'x + 1'
said compute vectors --vectors 'x=1,2;y=3,4' --expression 'x + z'
said compute vectors --vectors 'x=0,0;y=3,4'
said compute vectors --vectors 'x=1e200,1e200;y=3,4'
said compute hyperplane --planes 3,4 --points 1,2
said compute hyperplane --planes 0,0,1 --points 1,2
said compute hyperplane --planes 1,0,1
said compute hyperplane --points 1,2
said compute margin @tennis --planes 5,2
said compute margin @iris --planes 1,1,1,1,1
said compute margin @tennis --planes 5,2,-535 --positive maybe
said compute margin @weather --target play --planes 1,1
said draw margin @iris --where 'species != "setosa"' --planes 1,1,1,1,1
printf 'x,y,c\n1,2,a\n2,,b\n' > gap.csv
said compute separability gap.csv --target c
printf 'x,y,c\n1,2,a\n2,3,a\n' > one.csv
said compute separability one.csv --target c
printf 'x,y,c\n1,2,a\n1,2,b\n' > same.csv
said compute separability same.csv --target c
printf 'x,y,c\n1e300,2,a\n-1e300,2,b\n' > huge.csv
said compute separability huge.csv --target c
