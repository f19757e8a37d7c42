# SPDX-License-Identifier: MIT
"""Tables of strings for the bench: strings.py FOLDER writes strings.csv (3,000,000 rows, 950,000
different strings and a number), strings-other.csv (each string of a million once) and quoted.csv
(1,000,000 quoted texts)."""
import os
import random
import sys

ROWS, NAMES, TEXTS = 3000000, 1000000, 1000000
WORDS = ["lorem", "ipsum", "dolor", "sit", "amet,", 'consect ""quote"" etur', "adipiscing", "elit"]
folder = sys.argv[1]
random.seed(3)
names = ["user_%08x" % random.getrandbits(32) for _ in range(NAMES)]
with open(os.path.join(folder, "strings.csv"), "w") as out:
    out.write("k,x\n")
    for i in range(ROWS):
        out.write("%s,%d\n" % (names[int(random.random() * NAMES)], i % 1000))
random.shuffle(names)
with open(os.path.join(folder, "strings-other.csv"), "w") as out:
    out.write("k,z\n")
    for i, name in enumerate(names):
        out.write("%s,%d\n" % (name, i % 777))
with open(os.path.join(folder, "quoted.csv"), "w") as out:
    out.write("id,text\n")
    for i in range(TEXTS):
        words = " ".join(random.choice(WORDS) for _ in range(random.randrange(3, 12)))
        out.write('%d,"%s"\n' % (i, words))
