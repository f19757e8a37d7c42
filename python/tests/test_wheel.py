# SPDX-License-Identifier: MIT
"""The wheel: what is in it, and that a new environment can use it where no library is installed."""
import glob
import os
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

BUILD = os.path.dirname(os.path.abspath(os.environ["CAIRN_LIBRARY"]))
PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN = {name: value for name, value in os.environ.items()
         if name not in ("CAIRN_LIBRARY", "CAIRN_BUILD", "PYTHONPATH", "LD_LIBRARY_PATH")}
USE = """
import os, cairn
home = os.path.dirname(cairn.__file__)
loaded = {line.split()[-1] for line in open("/proc/self/maps") if line.rstrip().endswith("so") or ".so." in line}
assert [p for p in loaded if "libcairn" in p] == [os.path.join(home, "libcairn-course.so")], loaded
for name in os.listdir(os.path.join(home, "libs")):
    assert name.endswith(".copyright") or os.path.join(home, "libs", name) in loaded, name
model = cairn.fit("tree", "@iris")
assert list(model.predict({"sepal_length": [5.1], "sepal_width": [3.5], "petal_length": [1.4],
                           "petal_width": [0.2]})) == ["setosa"]
assert os.path.exists(os.path.join(home, "py.typed"))
if os.path.exists(os.path.join(home, "cairn-cairo.so")):
    assert cairn.draw("scatter", cairn.Table("@iris"), format="png").startswith(b"\\x89PNG")
print(cairn.__version__, home)
"""


def build(folder, library=BUILD):
    """The path of a wheel that the script made."""
    done = subprocess.run([sys.executable, os.path.join(PYTHON, "build_wheel.py"), library, folder],
                          check=True, capture_output=True, text=True)
    return done.stdout.strip()


def put(wheel, folder):
    """Install a wheel into an environment, by pip where it is there."""
    python = os.path.join(folder, "bin", "python")
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0:
        subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps",
                        "--disable-pip-version-check", wheel], check=True, env=PLAIN)
    else:
        with zipfile.ZipFile(wheel) as content:
            content.extractall(glob.glob(os.path.join(folder, "lib", "python*", "site-packages"))[0])
    return python


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        held = tempfile.TemporaryDirectory()
        cls.addClassCleanup(held.cleanup)
        cls.folder = held.name
        cls.wheel = build(cls.folder)

    def test_what_is_in_it(self):
        self.assertRegex(os.path.basename(self.wheel), r"^cairn-[\d.]+-py3-none-manylinux_2_\d+_\w+\.whl$")
        with zipfile.ZipFile(self.wheel) as content:
            names = content.namelist()
            record = content.read(next(n for n in names if n.endswith("/RECORD"))).decode()
        for path in ["libcairn-course.so", "py.typed", "_cdef.txt", "sklearn.py",
                     *map(os.path.basename, glob.glob(os.path.join(BUILD, "cairn-*.so")))]:
            self.assertIn("cairn/" + path, names)
        self.assertEqual([line.split(",")[0] for line in record.splitlines()], names)
        again = build(os.path.join(self.folder, "again"))
        with open(self.wheel, "rb") as first, open(again, "rb") as second:
            self.assertEqual(first.read(), second.read())

    def test_without_a_library_it_is_for_any_system(self):
        self.assertTrue(build(os.path.join(self.folder, "plain"), self.folder).endswith("-py3-none-any.whl"))

    def test_a_new_environment_can_use_it(self):
        home = os.path.join(self.folder, "home")
        venv.create(home, system_site_packages=True, symlinks=True)
        python = put(self.wheel, home)
        done = subprocess.run([python, "-c", USE], cwd=self.folder, env=PLAIN, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split()[0], os.path.basename(self.wheel).split("-")[1])
        self.assertIn(home, done.stdout)


if __name__ == "__main__":
    unittest.main()
