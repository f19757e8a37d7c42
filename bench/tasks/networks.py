# SPDX-License-Identifier: MIT
"""Neural networks."""
from sides import FASHION, FASHION_TEST, Task, cairn, cairn_process, peer

MODEL = "DATA/network.cairn"
FIT = ["fit", "network", FASHION, "--with", "scale:none,factor=0.00392156862745098", "--hidden", "128",
       "--activation", "relu", "--solver", "adam", "--eta", "0.001", "--batch", "128", "--epochs", "5",
       "--no-keep-best", "--save", MODEL]


def fitting(setup):
    """Seconds of the fit, and the accuracy on the test images."""
    seconds, memory, _ = cairn(FIT, "time.fit")(setup)
    _, _, quality = cairn(["evaluate", MODEL, FASHION_TEST], "time.predict",
                          lambda v: "accuracy %.4f" % v["accuracy"])(setup)
    return seconds, memory, quality


TASKS = [
    Task("network", "network 784-128-10, relu, Adam, batches of 128, 5 epochs of 60,000 images", fitting,
         [("scikit-learn MLPClassifier, float32", 2.0, peer("mlp.py", "fit", FASHION, FASHION_TEST, "DATA/mlp.pickle")),
          ("torch", 2.0, peer("mlp_torch.py", FASHION, FASHION_TEST))],
         rounds=3),
    Task("network-predict", "the same: predicting 10,000 images from idx to CSV, whole process",
         cairn_process(["predict", MODEL, FASHION_TEST, "--out", "DATA/network.csv"]),
         [("scikit-learn MLPClassifier, whole process", 5.0,
           peer("mlp.py", "predict", FASHION_TEST, "DATA/mlp.pickle", "DATA/mlp.csv", whole=True))]),
]
