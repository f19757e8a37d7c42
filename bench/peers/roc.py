# SPDX-License-Identifier: MIT
import json
import sys
import time
import numpy as np
from sklearn.metrics import auc, roc_curve

data = np.load(sys.argv[1])
scores, labels = np.ascontiguousarray(data[:, 0]), data[:, 1].astype(np.int8)
begin = time.perf_counter()
fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
area = auc(fpr, tpr)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "AUC %.9f" % area}))
