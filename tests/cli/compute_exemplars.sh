# SPDX-License-Identifier: MIT
# what stands for rows: places, rows by several distances, a matrix, groups, texts, weights
cairn compute exemplars --points '0,3;3,3;3,0;-2,-4;-4,-2' --steps
cairn compute exemplars @weather --distance gower --target play
printf 'a,b,c\n0,1,2\n1,0,4\n2,4,0\n' | cairn compute exemplars - --as distances
printf 'word\nkitten\nsitting\nmitten\n' | cairn compute exemplars - --kinds word=text --distance edit
printf 'x,w\n1,1\n2,1\n9,3\n' | cairn compute exemplars - --weight w
printf 'x,w\n1,0\n' | cairn compute exemplars - --weight w || echo $?
printf 'a,b\n0,1\n1,0\n' | cairn compute exemplars - --as distances --distance manhattan || echo $?
