# SPDX-License-Identifier: MIT
"""Builds the wheel of the package; nothing but Python is needed, and no network.

    python3 build_wheel.py BUILD FOLDER    a wheel in FOLDER with the library of the folder BUILD

pip calls build_wheel() for `pip install ./python`; the library is then that of CAIRN_BUILD, or of
../build. In the wheel are the library, the modules that lie beside it and the small libraries that
it needs itself, with their licences. What modules need (cairo, libpq ...) is the system's. Without a
library the wheel has Python alone, and the library must be installed."""
from __future__ import annotations

import base64
import glob
import hashlib
import os
import platform
import re
import subprocess
import sys
import zipfile
from typing import Any, Iterator

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
EVERYWHERE = re.compile(r"(libc|libm|libdl|librt|libpthread|libgcc_s|ld-linux.*)\.so(\.|$)")


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _needed(library: str) -> list[str]:
    """The libraries that the library needs and that not every system has."""
    told = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", told, flags=re.M))
    return [path for name, path in sorted(found.items()) if not EVERYWHERE.match(name)]


def _licence(library: str) -> bytes | None:
    """What Debian says of the library's licence."""
    pattern = "*/" + os.path.basename(library)
    try:
        told = subprocess.run(["dpkg", "-S", pattern], capture_output=True, text=True).stdout
    except FileNotFoundError:
        return None
    package = told.partition(":")[0]
    path = f"/usr/share/doc/{package}/copyright"
    return _read(path) if package and os.path.exists(path) else None


def _python_files() -> Iterator[tuple[str, bytes]]:
    for path in sorted(glob.glob(os.path.join(HERE, "cairn", "*"))):
        if path.endswith((".py", ".txt", ".typed")):
            yield "cairn/" + os.path.basename(path), _read(path)


def _library_files(build: str) -> Iterator[tuple[str, bytes]]:
    library = os.path.join(build, "libcairn-course.so")
    yield "cairn/libcairn-course.so", _read(library)
    for module in sorted(glob.glob(os.path.join(build, "cairn-*.so"))):
        yield "cairn/" + os.path.basename(module), _read(module)
    for needed in _needed(library):
        name = os.path.basename(needed)
        yield "cairn/libs/" + name, _read(needed)
        licence = _licence(needed)
        if licence is not None:
            yield f"cairn/libs/{name}.copyright", licence


def _tag(files: dict[str, bytes]) -> str:
    """py3-none-any of Python alone; else the least glibc that has all that the libraries ask for."""
    parts = [content for name, content in files.items() if ".so" in name and not name.endswith(".copyright")]
    if not parts:
        return "py3-none-any"
    asked = [int(minor) for content in parts for minor in re.findall(rb"GLIBC_2\.(\d+)", content)]
    return f"py3-none-manylinux_2_{max([17, *asked])}_{platform.machine()}"


def _record(files: dict[str, bytes], name: str) -> bytes:
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


def _write(path: str, files: dict[str, bytes]) -> None:
    """The same bytes for the same files, whenever it is done."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Write the wheel and return its name, as PEP 517 has it."""
    build = os.environ.get("CAIRN_BUILD") or os.path.join(ROOT, "build")
    files = dict(_python_files())
    if os.path.exists(os.path.join(build, "libcairn-course.so")):
        files.update(_library_files(build))
    metadata = _read(os.path.join(HERE, "METADATA"))
    version = re.search(rb"^Version: (\S+)", metadata, flags=re.M).group(1).decode()  # type: ignore[union-attr]
    tag, info = _tag(files), f"cairn-{version}.dist-info"
    pure = "true" if tag.endswith("any") else "false"
    files[f"{info}/METADATA"] = metadata + b"\n" + _read(os.path.join(HERE, "README.md"))
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cairn\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode()
    if os.path.exists(os.path.join(ROOT, "LICENSE")):
        files[f"{info}/LICENSE"] = _read(os.path.join(ROOT, "LICENSE"))
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    name = f"cairn-{version}-{tag}.whl"
    _write(os.path.join(wheel_directory, name), files)
    return name


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: build_wheel.py BUILD FOLDER")
    os.environ["CAIRN_BUILD"] = sys.argv[1]
    os.makedirs(sys.argv[2], exist_ok=True)
    print(os.path.join(sys.argv[2], build_wheel(sys.argv[2])))
