# SPDX-License-Identifier: MIT
printf 'x,city\n1,Bonn\n2,Bonn\n3,Ulm\n4,Ulm\n5,Ulm\n' >train.csv
printf 'x,city,new\n11,Bonn,1\n12,Kiel,2\n13,Kiel,3\n14,Kiel,4\n15,Kiel,5\n16,Kiel,6\n' >test.csv
cairn describe train.csv --against test.csv --show checks
