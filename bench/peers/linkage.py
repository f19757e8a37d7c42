# SPDX-License-Identifier: MIT
"""Hierarchical clustering by scipy or fastcluster: linkage.py scipy|fastcluster|vector LINKAGE MATRIX, whose
last column is left out; `vector` is fastcluster's linkage_vector, which stores no distances. Prints the sum of
the heights."""
import json
import sys
import time
import numpy as np

program, linkage, path = sys.argv[1:4]
if program == "scipy":
    from scipy.cluster.hierarchy import linkage as method
elif program == "fastcluster":
    from fastcluster import linkage as method
else:
    from fastcluster import linkage_vector as method
x = np.ascontiguousarray(np.load(path)[:, :-1])
begin = time.perf_counter()
merges = method(x, linkage)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "heights %.9g" % merges[:, 2].sum()}))
