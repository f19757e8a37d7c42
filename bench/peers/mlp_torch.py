# SPDX-License-Identifier: MIT
"""The same network as mlp.py by torch: mlp_torch.py TRAIN TEST

Prints the seconds of fitting and the accuracy on the test images."""
import gzip
import json
import sys
import time

import numpy as np
import torch


def read(name):
    images = np.frombuffer(gzip.open(name).read()[16:], np.uint8).reshape(-1, 784)
    labels = gzip.open(name.replace("images", "labels").replace("idx3", "idx1")).read()[8:]
    return (torch.from_numpy(images.astype(np.float32) / np.float32(255)),
            torch.from_numpy(np.frombuffer(labels, np.uint8).astype(np.int64)))


torch.manual_seed(1)
torch.set_num_threads(2)
train, answers = read(sys.argv[1])
test, truth = read(sys.argv[2])
network = torch.nn.Sequential(torch.nn.Linear(784, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
solver = torch.optim.Adam(network.parameters(), lr=0.001)
loss = torch.nn.CrossEntropyLoss()
begin = time.perf_counter()
for _ in range(5):
    order = torch.randperm(len(train))
    for first in range(0, len(train), 128):
        rows = order[first:first + 128]
        solver.zero_grad()
        loss(network(train[rows]), answers[rows]).backward()
        solver.step()
seconds = time.perf_counter() - begin
with torch.no_grad():
    accuracy = (network(test).argmax(1) == truth).float().mean().item()
print(json.dumps({"seconds": seconds, "quality": "accuracy %.4f" % accuracy}))
