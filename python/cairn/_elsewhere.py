# SPDX-License-Identifier: MIT
"""What other packages call what is here under another name: said, where it is looked for."""
from __future__ import annotations

MODULE = {
    "read_csv": 'cairn.Table("file.csv"), or the path in place of data',
    "read_table": 'cairn.Table("file.csv"), or the path in place of data',
    "read_parquet": 'cairn.Table("file.parquet"), or the path in place of data',
    "DataFrame": "a dict of columns or a frame of pandas in place of data, or cairn.Table",
    "load_model": 'cairn.load("model.cairn")',
    "load_iris": 'the name "@iris" in place of data',
    "load_dataset": 'a name such as "@titanic" in place of data',
    "train": 'cairn.fit("tree", data, "target")',
    "predict": "the method predict of a model",
    "cross_val_score": 'cairn.evaluate("tree", data, "target")["accuracy"]',
    "train_test_split": 'cairn.evaluate(..., by="holdout:0.3")',
    "GridSearchCV": 'cairn.tune("tree", data, "target")',
    "plot": 'cairn.draw("tree", model)',
}
MODEL = {
    "score": 'cairn.evaluate(model, data)["accuracy"]',
    "fit": 'cairn.fit("tree", data, "target"), which makes a model',
    "feature_importances_": 'cairn.compute("importance", model, data), or cairn.sklearn.ForestClassifier',
    "coef_": "print(model), or cairn.sklearn.LogisticClassifier",
    "classes_": "the names in classes, or the values as data had them in labels",
    "dump": 'save("model.cairn")',
    "to_file": 'save("model.cairn")',
    "summary": "print(model)",
    "plot": 'cairn.draw("tree", model)',
}


def refuse(owner: str, name: str, known: dict[str, str]) -> AttributeError:
    """The error for a name that is not there."""
    said = f"{owner} has no {name!r}"
    return AttributeError(f"{said}; here it is {known[name]}" if name in known else said)
