# SPDX-License-Identifier: MIT
"""Association rules of Weka (Debian's package): weka_rules.py DATA SUPPORT CONFIDENCE. The file is CSV, every
cell an item. The seconds of the whole process, virtual machine and reading included, and how many rules
it finds: as Cairn's, but for those without a body."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import weka


def main():
    path, support, confidence = sys.argv[1:]
    table = weka.read(path).replace("", "?")
    names = list(table.columns)
    levels = [weka.levels_of(table[name], True) for name in names]
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "data.arff")
        weka.write(table, names, levels, made)
        command = ["java", "-Xmx2g", "-cp", weka.JARS, "weka.associations.Apriori", "-t", made,
                   "-N", "10000000", "-C", confidence, "-U", "1.0", "-M", support,
                   "-D", "%g" % (1 - float(support))]
        begin = time.perf_counter()
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds = time.perf_counter() - begin
    rules = re.findall(r"^ *(\d+)\. .*==>", text, re.M)
    print(json.dumps({"seconds": seconds, "quality": "%s rules" % (rules[-1] if rules else 0)}))


main()
