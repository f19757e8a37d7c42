# SPDX-License-Identifier: MIT
"""Everything public says what it takes and gives; mypy agrees where it is installed."""
import importlib.util
import inspect
import os
import subprocess
import sys
import tempfile
import unittest

import cairn

PACKAGE = os.path.dirname(os.path.abspath(cairn.__file__))
USE = """
import cairn
model: cairn.Model = cairn.fit("tree", "@iris", max_depth=3)
names: list[str] = model.classes
accuracy: float | str = cairn.evaluate("tree", "@iris")["accuracy"]
table: cairn.Table = model.tables["nodes"]
row: cairn.Predictor = model.predictor(exact=True)
from cairn.sklearn import ForestClassifier
ForestClassifier(trees=5).fit([[1.0], [2.0]], [0, 1])
"""
WRONG = """
import cairn
names: int = cairn.fit("tree", "@iris").classes
"""


def functions():
    """The public functions, and the methods of the public classes."""
    for name in cairn.__all__:
        thing = getattr(cairn, name)
        if inspect.isfunction(thing):
            yield name, thing
        if inspect.isclass(thing):
            for part, value in vars(thing).items():
                value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                if inspect.isfunction(value) and (value.__module__ or "").startswith("cairn"):
                    yield f"{name}.{part}", value


class Types(unittest.TestCase):
    def test_every_parameter_and_answer_has_a_type(self):
        found = 0
        for name, function in functions():
            if "dataclasses" in function.__code__.co_filename or "<" in function.__code__.co_filename:
                continue  # what dataclasses write themselves
            with self.subTest(function=name):
                signature = inspect.signature(function)
                self.assertIsNot(signature.return_annotation, inspect.Signature.empty)
                for parameter in signature.parameters.values():
                    if parameter.name not in ("self", "cls"):
                        self.assertIsNot(parameter.annotation, inspect.Parameter.empty, parameter.name)
            found += 1
        self.assertGreater(found, 70)

    def test_the_package_says_that_it_has_types(self):
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_mypy(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.mypy(folder, "--disallow-untyped-defs", PACKAGE), (0, ""))
            for text, bad in ((USE, 0), (WRONG, 1)):
                path = os.path.join(folder, "use.py")
                with open(path, "w", encoding="utf-8") as out:
                    out.write("from __future__ import annotations\n" + text)
                self.assertEqual(self.mypy(folder, path)[0], bad)

    def mypy(self, folder, *words):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--no-error-summary",
             "--cache-dir", os.path.join(folder, "cache"), *words],
            capture_output=True, text=True, env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)})
        return done.returncode, done.stdout


if __name__ == "__main__":
    unittest.main()
