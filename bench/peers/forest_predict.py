# SPDX-License-Identifier: MIT
import json
import pickle
import sys
import time
import numpy as np

with open(sys.argv[1], "rb") as file:
    model = pickle.load(file)
table = np.load(sys.argv[2])
test = table[500000:]
x, y = test[:, :-1].astype(np.float32), test[:, -1].astype(int)
begin = time.perf_counter()
said = model.predict(x)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "quality": "accuracy %.4f" % float((said == y).mean())}))
