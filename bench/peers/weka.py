# SPDX-License-Identifier: MIT
"""A learner of Weka (Debian's package): weka.py LEARNER TRAIN [TEST]. The files are CSV, the last column
is the class. The seconds that it reports for building the model (reading and the start of the virtual
machine are not in them), and its accuracy on the test rows, or on the training rows without a TEST."""
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import pandas as pd


JARS = "/usr/share/java/weka.jar:/usr/share/java/java-cup.jar"


def read(path):
    """Cells as text; numbers stay as they are written."""
    if path.endswith(".zst"):
        path = io.BytesIO(subprocess.run(["zstd", "-dc", path], check=True,
                                         capture_output=True).stdout)
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def write(table, names, levels, path):
    """As ARFF, since both files must declare the same levels."""
    with open(path, "w") as out:
        out.write("@relation data\n")
        for name, values in zip(names, levels):
            kind = "numeric" if values is None else "{%s}" % ",".join("'%s'" % v for v in values)
            out.write("@attribute '%s' %s\n" % (name, kind))
        out.write("@data\n")
        for row in table.to_numpy():
            out.write(",".join(cell if cell == "?" or values is None else "'%s'" % cell
                               for cell, values in zip(row, levels)) + "\n")


def levels_of(cells, is_class):
    known = cells[cells != "?"]
    if not is_class and pd.to_numeric(known, errors="coerce").notna().all():
        return None
    return list(dict.fromkeys(known))


def main():
    learner, paths = sys.argv[1], sys.argv[2:]
    tables = [read(path).replace("", "?") for path in paths]
    names = list(tables[0].columns)
    levels = [levels_of(pd.concat([t[name] for t in tables]), name == names[-1]) for name in names]
    command = ["java", "-cp", JARS, learner, "-no-cv"]
    with tempfile.TemporaryDirectory() as folder:
        for option, table in zip(("-t", "-T"), tables):
            path = os.path.join(folder, option[1:] + ".arff")
            write(table, names, levels, path)
            command += [option, path]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds = float(re.search(r"Time taken to build model: ([0-9.]+)", text).group(1))
    share = float(re.findall(r"Correctly Classified Instances +[0-9]+ +([0-9.]+)", text)[-1]) / 100
    leaves = re.search(r"Number of Leaves\s*:\s*(\d+)", text)
    quality = "accuracy on the %s rows %.6f" % ("test" if len(paths) > 1 else "training", share)
    print(json.dumps({"seconds": seconds, "quality": ("%s leaves, " % leaves.group(1) if leaves else "") +
                      quality}))


if __name__ == "__main__":
    main()
