#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Scalers, encoders and imputers give the numbers of scikit-learn, to 1e-9.

bench/agree/transforms.py [PROGRAM]; PROGRAM is build/cairn when not given. Where definitions differ
(ties, unknown levels) the data has none of it."""
import os
import subprocess
import sys
import tempfile
import numpy as np
import pandas as pd
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.preprocessing import (MaxAbsScaler, MinMaxScaler, Normalizer, OneHotEncoder,
                                   OrdinalEncoder, RobustScaler, StandardScaler)

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/cairn"
TOLERANCE = 1e-9
random = np.random.default_rng(7)
N = 400
NUMBERS = ["a", "b", "c", "d"]
LEVELS = ["colour", "shape"]


def make():
    """Numbers of unlike sizes and levels, whole and with gaps."""
    whole = pd.DataFrame({
        "a": random.normal(5, 2, N), "b": random.exponential(1000, N),
        "c": random.uniform(-1, 1, N) * 1e-3, "d": random.integers(-4, 9, N).astype(float),
        "colour": random.choice(["red", "green", "blue", "black"], N, p=[0.4, 0.3, 0.2, 0.1]),
        "shape": random.choice(["round", "square", "long"], N, p=[0.5, 0.3, 0.2])})
    gaps = whole.copy()
    for column in whole:
        gaps.loc[random.random(N) < 0.12, column] = np.nan
    return whole, gaps


def cairn(table, *transforms):
    """What `cairn convert` makes of the table."""
    with tempfile.TemporaryDirectory() as folder:
        path, made = os.path.join(folder, "in.csv"), os.path.join(folder, "out.csv")
        table.to_csv(path, index=False)
        words = [PROGRAM, "convert", path, made, "--quiet"]
        for transform in transforms:
            words += ["--with", transform]
        subprocess.run(words, check=True)
        return pd.read_csv(made)


def gap(ours, theirs):
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape != theirs.shape or not (np.isnan(ours) == np.isnan(theirs)).all():
        return np.inf
    return np.nanmax(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs)))


def coded(table, encoder):
    """The encoder's columns under our names."""
    values = encoder.fit_transform(table[LEVELS])
    dropped = encoder.drop_idx_ if encoder.drop_idx_ is not None else [None] * len(LEVELS)
    names = [f"{c}={v}" for c, vs, skip in zip(LEVELS, encoder.categories_, dropped)
             for i, v in enumerate(vs) if i != skip]
    return pd.DataFrame(values.toarray(), columns=names)


def scalers(whole, gaps):
    for table, kind in ((whole, ""), (gaps, ", with gaps")):
        x = table[NUMBERS]
        yield "standardise" + kind, cairn(x, "standardise"), StandardScaler().fit_transform(x)
        yield "scale z, no centre" + kind, cairn(x, "scale:centre=no"), \
            StandardScaler(with_mean=False).fit_transform(x)
        yield "scale robust" + kind, cairn(x, "scale:method=robust"), RobustScaler().fit_transform(x)
        yield "scale range" + kind, cairn(x, "scale:method=range"), MinMaxScaler().fit_transform(x)
        yield "scale midrange" + kind, cairn(x, "scale:method=midrange,factor=10"), \
            MinMaxScaler(feature_range=(-10, 10)).fit_transform(x)
        yield "scale max-abs" + kind, cairn(x, "scale:method=max-abs"), MaxAbsScaler().fit_transform(x)
    for norm in ("l1", "l2", "max"):
        yield f"unit {norm}", cairn(whole[NUMBERS], f"unit:norm={norm}"), \
            Normalizer(norm).fit_transform(whole[NUMBERS])


def encoders(whole):
    levels = whole[LEVELS]
    theirs = coded(whole, OneHotEncoder())
    yield "indicators", cairn(levels, "indicators")[theirs.columns], theirs
    ordered = cairn(levels, "order:by=name", "indicators:reference=yes")
    theirs = coded(whole, OneHotEncoder(drop="first"))
    yield "indicators, a reference", ordered[theirs.columns], theirs
    yield "codes", cairn(levels, "order:by=name", "codes"), OrdinalEncoder().fit_transform(levels)


def imputers(gaps):
    x = gaps[NUMBERS]
    for strategy in ("mean", "median"):
        yield f"impute {strategy}", cairn(x, f"impute:numbers={strategy}"), \
            SimpleImputer(strategy=strategy).fit_transform(x)
    yield "impute mode", cairn(gaps[["d"]], "impute:method=mode"), \
        SimpleImputer(strategy="most_frequent").fit_transform(gaps[["d"]])
    yield "impute value", cairn(x, "impute:method=value,value=-3.5"), \
        SimpleImputer(strategy="constant", fill_value=-3.5).fit_transform(x)
    # unit scale: the peer loses digits where columns are of unlike sizes
    x = pd.DataFrame(random.normal(size=(N, 5)), columns=list("vwxyz"))
    x = x.mask(random.random(x.shape) < 0.12)
    for t in (1, 5, 20):
        yield f"impute nearest {t}", \
            cairn(x, f"impute:method=nearest,t={t},distance=euclidean"), \
            KNNImputer(n_neighbors=t).fit_transform(x)
    filled = SimpleImputer(strategy="most_frequent").fit_transform(gaps[LEVELS])
    ours = cairn(gaps[LEVELS], "impute")
    yield "impute levels", (ours.to_numpy() == filled).astype(float), np.ones(filled.shape)


def main():
    failed = 0
    whole, gaps = make()
    for checks in (scalers(whole, gaps), encoders(whole), imputers(gaps)):
        for name, ours, theirs in checks:
            distance = gap(ours, theirs)
            failed += not distance <= TOLERANCE
            print("%-32s %.1e%s" % (name, distance, "" if distance <= TOLERANCE else "  DIFFERS"))
    sys.exit(1 if failed else 0)


main()
