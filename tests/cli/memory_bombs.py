# SPDX-License-Identifier: MIT
"""Small files that unpack, parse or count to much more than --memory allows: whatever the format, the
process never holds more than the limit and what the program itself takes, and 4 MB for what libraries
keep. A file whose text alone passes the limit is refused while it is read, which is tried once for every
reader; of all others the text fits and what is made of it may not. With the word `table` every file, the
exit code and the megabytes above the program's own are shown."""
import os
import resource
import struct
import sys
import zipfile
import zlib

LIMIT, SLACK, MEGA = 40, 4, 1 << 20


def write(name, pieces):
    """Pieces are bytes and how often they come."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    with open(name, "wb") as file:
        for text, times in pieces:
            many = max(1, min(times, MEGA // len(text)))
            for _ in range(times // many):
                file.write(packer.compress(text * many))
            file.write(packer.compress(text * (times % many)))
        file.write(packer.flush())


def each(pattern, n):
    return [(b"".join(pattern % i for i in range(n)), 1)]


def npy(n):
    head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (%d, 2), }" % n
    head += b" " * (117 - len(head)) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head


def texts(size):
    n = size * MEGA
    k = size * 8000
    return {
        "line.csv": lambda: [(b"a,b\n1,", 1), (b"x", n)],
        "rows.csv": lambda: [(b"a,b\n", 1), (b"1,2\n", n // 4)],
        "quote.csv": lambda: [(b'a,b\n1,"', 1), (b"x\n", n // 2)],
        "wide.csv": lambda: [(b"a,", n // 2)],
        "empty.csv": lambda: [(b"\n", n)],
        "words.csv": lambda: [(b"a\n", 1)] + each(b"w%d\n", 6 * k),
        "deep.json": lambda: [(b"[", 1), (b'{"a":', n // 5)],
        "objects.json": lambda: [(b'[{"a":1}', 1), (b',{"a":1}', n // 8), (b"]", 1)],
        "arrays.ndjson": lambda: [(b'{"a":["b"', 1), (b",[]", n // 3), (b"]}", 1)],
        "numbers.ndjson": lambda: [(b'{"a":[1', 1), (b",1", n // 2), (b"]}", 1)],
        "string.ndjson": lambda: [(b'{"a":"', 1), (b"x", n), (b'"}', 1)],
        "escapes.ndjson": lambda: [(b'{"a":"', 1), (b"\\n", n // 2), (b'"}', 1)],
        "keys.ndjson": lambda: [(b'{"k":1', 1)] + each(b',"k%d":1', 6 * k) + [(b"}", 1)],
        "other.ndjson": lambda: each(b'{"k%d":1}\n', k),
        "indices.libsvm": lambda: [(b"1", 1)] + each(b" 1%07d:1", 6 * k) + [(b"\n", 1)],
        "rows.libsvm": lambda: [(b"1 1:1\n", n // 6)],
        "same.basket": lambda: [(b"a ", n // 2)],
        "lines.basket": lambda: [(b"\n", n), (b"a\n", 1)],
        "items.basket": lambda: each(b"%d ", 8 * k),
        "attributes.arff": lambda: [(b"@relation r\n", 1)] + each(b"@attribute a%d numeric\n", 2 * k) + [(b"@data\n{0 1}\n", 1)],
        "rows.arff": lambda: [(b"@relation r\n@attribute a numeric\n@data\n", 1), (b"1\n", n // 2)],
        "values.arff": lambda: [(b"@relation r\n@attribute a {x", 1)] + each(b",v%d", 6 * k) + [(b"}\n@data\nx\n", 1)],
        "brackets.nwk": lambda: [(b"(", n)],
        "leaves.nwk": lambda: [(b"(a", 1)] + each(b",b%d", 6 * k) + [(b");", 1)],
        "bytes.npy": lambda: [(npy(n // 2), 1), (b"\0", n)],
        "bytes.idx": lambda: [(b"\0\0\x08\x02" + struct.pack(">II", n // 4, 4), 1), (b"\0", n)],
        "many.pgm": lambda: [(b"P5 1 1 255\n\0", n // 12)],
        "large.ppm": lambda: [(b"P6 2000 2000 255\n", 1), (b"\0", 12000000)],
        "rows.grid": lambda: [(b"#\n\n", n // 3)],
        "header.csv": lambda: each(b"column%d,", 5 * k) + [(b"z\n", 1)] + each(b"%d,", 5 * k) + [(b"1\n", 1)],
        "name.csv": lambda: [(b"a,", 1), (b"n", n), (b"\n1,2\n", 1)],
        "wide.tsv": lambda: [(b"a\t", n // 2)],
        "words.tsv": lambda: [(b"a\tb\n", 1)] + each(b"w%d\tv\n", 5 * k),
        "deep.ndjson": lambda: [(b'{"a":', n // 5)],
        "nested.ndjson": lambda: [(b'{"a":' * 500 + b"1" + b"}" * 500 + b"\n", n // 3000)],
        "paths.ndjson": lambda: [(b'{"a":{', 1)] + [(b",".join(b'"k%d":{"x":1}' % i for i in range(4 * k)), 1), (b"}}", 1)],
        "strings.json": lambda: [(b"[", 1)] + [(b",".join(b'{"a":"word %d of many"}' % i for i in range(2 * k)), 1), (b"]", 1)],
        "far.libsvm": lambda: [(b"1 4294967295:1\n0 1:1 4294967294:1\n", n // 33)],
        "labels.libsvm": lambda: each(b"l%d,", 6 * k) + [(b" 1:1\n", 1)],
        "value.libsvm": lambda: [(b"1 1:1", 1), (b"0", n), (b"\n", 1)],
        "item.basket": lambda: [(b"a", n), (b"\n", 1)],
        "sparse.arff": lambda: [(b"@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n", 1), (b"{}\n", n // 3)],
        "string.arff": lambda: [(b"@relation r\n@attribute a string\n@data\n'", 1), (b"x", n), (b"'\n", 1)],
        "words.arff": lambda: [(b"@relation r\n@attribute a string\n@data\n", 1)] + each(b"word%d\n", 5 * k),
        "name.nwk": lambda: [(b"('", 1), (b"x", n), (b"',b);", 1)],
        "comment.nwk": lambda: [(b"([", 1), (b"x", n), (b"]a,b);", 1)],
        "lines.lines": lambda: [(b"\n", n // 8)],
        "line.lines": lambda: [(b"x", n)],
        "letters.pgm": lambda: [(b"P2 4000 4000 9 ", 1), (b"1 ", 16000000)],
    }


def zstd(content, window, size):
    """A frame of one repeated byte behind some content, which names a window of so many bits."""
    frame = b"\x28\xb5\x2f\xfd" + bytes([0x00, (window - 10) << 3])

    def block(kind, length, data, last):
        return struct.pack("<I", last | kind << 1 | length << 3)[:3] + data

    frame += block(0, len(content), content, 0)
    return frame + block(1, 1 << 17, b"1", 0) * (size * 8) + block(1, 1, b"\n", 1)


def claims():
    """Sizes and windows that a header claims."""
    head = npy(4_000_000_000)
    yield "claim.npy", head + b"\0" * 64
    yield "shape.npy", npy(4_000_000_000).replace(b"4000000000, 2", b"2, 400000000") + b"\0" * 64
    yield "claim.idx", b"\0\0\x08\x02" + struct.pack(">II", 4_000_000_000, 4_000_000_000) + b"\0" * 64
    yield "sides.idx", b"\0\0\x08\xff" + struct.pack(">I", 4_000_000_000) * 255
    yield "claim.pgm", b"P5 8000 8000 255\n"
    yield "claim.ppm", b"P6 1048576 60 65535\n"
    for window in (17, 24, 25, 27, 31, 41):
        yield "window%d.csv.zst" % window, zstd(b"a\n", window, 1)
        yield "unpacked%d.csv.zst" % window, zstd(b"a\n", window, 200)
    yield "twice.csv.zst", zstd(b"a\n", 24, 20) * 2
    yield "gzip.csv.gz", zlib.compress(b"a\n" + b"1\n" * (5 * MEGA), 9, 31) * 8
    yield "c45.names", b"yes, no.\n" + b"".join(b"a%d: continuous.\n" % i for i in range(300000))
    yield "c45.data", b"1," * 300000 + b"yes\n"
    yield "levels.names", b"yes, no.\na: x" + b"".join(b",v%d" % i for i in range(900000)) + b".\n"
    yield "levels.data", b"x, yes\n" * 10


def workbook(name, sheet, parts=0, strings=None):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as book:
        book.writestr("xl/workbook.xml", '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="i"/></sheets></workbook>')
        relation = '<Relationship Id="i" Type="x/worksheet" Target="s.xml"/>'
        if strings:
            relation += '<Relationship Id="t" Type="x/sharedStrings" Target="t.xml"/>'
            book.writestr("xl/t.xml", b"<sst>" + strings + b"</sst>")
        book.writestr("xl/_rels/workbook.xml.rels", "<Relationships>" + relation + "</Relationships>")
        book.writestr("xl/s.xml", b"<worksheet><sheetData>" + sheet + b"</sheetData></worksheet>")
        for i in range(parts):
            book.writestr("x%d" % i, b"")


def database(name, cells):
    import sqlite3  # here, since it would be counted as the program's

    base = sqlite3.connect(name)
    base.execute("create table t(a text)")
    base.executemany("insert into t values (?)", ((cell,) for cell in cells))
    base.commit()
    base.close()


def peak(words):
    """Exit code and megabytes of a run; the address space is bounded, so that no mistake hurts."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        silent = os.open("/dev/null", os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os.execvp(words[0], words)
    _, state, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(state), usage.ru_maxrss / 1024


def apart(work, *words):
    """In a process of its own: what it holds would be counted as that of those started after it."""
    child = os.fork()
    if child == 0:
        work(*words)
        os._exit(0)
    if os.wait4(child, 0)[1] != 0:
        sys.exit("the file could not be made")


def make_text(name, size):
    write(name + ".gz", texts(size)[name]())


def make_claims():
    for name, content in claims():
        with open(name, "wb") as file:
            file.write(content)


def make_modules():
    noise = os.urandom(MEGA).hex().encode()
    workbook("tag.xlsx", b'<row a="' + noise * 12 + b'"/>')
    workbook("names.xlsx", b"".join(b"<e%d/>" % i for i in range(600000)))
    workbook("parts.xlsx", b'<row r="1"><c><v>1</v></c></row>', 40000)
    cells = b'<row><c t="s"><v>0</v></c></row>'
    workbook("strings.xlsx", cells * 2, 0, b"".join(b"<si><t>word %d</t></si>" % i for i in range(1200000)))
    workbook("string.xlsx", cells * 2, 0, b"<si><t>" + b"x" * 900000 + b"</t></si>")
    workbook("shared.xlsx", cells * 400, 0, b"<si><t>" + b"x" * 900000 + b"</t></si>")
    workbook("runs.xlsx", cells * 2, 0, b"<si>" + b"<r><t>x</t></r>" * 900000 + b"</si>")
    workbook("wide.xlsx", b"<row>" + b"<c><v>1</v></c>" * 16384 + b"</row>", 0)
    workbook("rows.xlsx", b"<row><c><v>1</v></c><c><v>2</v></c></row>" * 1048576)
    workbook("deep.xlsx", b"<e>" * 2000000)
    workbook("far.xlsx", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' * 2)
    database("cell.db", ["x" * (30 * MEGA)])
    database("cells.db", [str(i) * 500000 for i in range(10, 60)])


def check(name, path, base):
    words = ["cairn", "describe", path, "--memory", "%dM" % LIMIT, "--threads", "1"]
    code, megabytes = peak(words + (["--input-format", "lines"] if ".lines" in path else []))
    said = open("said", errors="replace").read()
    if "table" in sys.argv:
        print("| %s | %d | %.0f |" % (name, code, megabytes - base))
    if megabytes > base + LIMIT + SLACK:
        print("%s: %.0f MB under a limit of %d MB" % (name, megabytes, LIMIT))
    if code not in (0, 3, 6):
        print("%s: exit code %d: %s" % (name, code, said))
    if code == 6 and "%d.0 MB" % LIMIT not in said:
        print("%s: the limit is not named: %s" % (name, said))


def main():
    base = peak(["cairn", "describe", "@iris", "--threads", "1"])[1]
    endings = {name.split(".")[1]: name for name in reversed(texts(1))}
    for size in (50, 12):
        for name in endings.values() if size == 50 else texts(size):
            apart(make_text, name, size)
            check("%s of %d MB" % (name, size), name + ".gz", base)
            os.unlink(name + ".gz")
    apart(make_claims)
    for name in sorted(name for name in os.listdir(".") if name != "said"):
        check(name, name, base)
    if "modules" in sys.argv:
        apart(make_modules)
        for name in sorted(os.listdir(".")):
            if name.endswith(".xlsx"):
                check(name, name, base)
        for name in ("cell.db", "cells.db"):
            check(name, "sqlite:" + name, base)
    print("done")


main()
