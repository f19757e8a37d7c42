# SPDX-License-Identifier: MIT
"""The Python of docs/python.md runs, page from top to bottom, and what is shown is what comes.

In a block, lines ">>> " are run; what stands below must be what the interpreter would show. Blocks
without them are run as they are. Parts whose package is not installed are passed over, and with them
those that use what they would have made."""
import doctest
import os
import re
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "python.md")


def blocks():
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)


class Page(unittest.TestCase):
    passed_over = False

    def test_every_block(self):
        names = {"__name__": "page"}
        here = os.getcwd()
        self.assertGreater(len(blocks()), 5)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for number, block in enumerate(blocks(), 1):
                    with self.subTest(block=number):
                        self.run_block(block, names)
            finally:
                os.chdir(here)

    def run_block(self, block, names):
        try:
            if ">>> " not in block:
                exec(compile(block, "docs/python.md", "exec"), names)
                return
            test = doctest.DocTestParser().get_doctest(block, names, "docs/python.md", PAGE, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            said = []
            runner.run(test, out=said.append, clear_globs=False)
            names.update(test.globs)
            self.assertEqual(runner.summarize(verbose=False).failed, 0, "".join(said))
        except ImportError as missing:
            if (missing.name or "").partition(".")[0] not in ("pandas", "sklearn"):
                raise
            self.passed_over = True
        except NameError:
            if not self.passed_over:
                raise


if __name__ == "__main__":
    unittest.main()
