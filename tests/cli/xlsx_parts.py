# SPDX-License-Identifier: MIT
"""A second reader of workbooks, by the letter of the specification: every part is named in the types
and reached by a relation, cells stand in order with styles and texts that there are. Prints the
cells of the sheet."""
import re
import sys
import zipfile
import xml.etree.ElementTree as xml

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None
parts = {name: xml.fromstring(book.read(name)) for name in book.namelist()}
assert book.namelist()[0] == "[Content_Types].xml"

# Every part has a type of content; every relation leads to a part.
types = parts["[Content_Types].xml"]
endings = {t.get("Extension") for t in types.iter(TYPES + "Default")}
named = {t.get("PartName") for t in types.iter(TYPES + "Override")}
for name in parts:
    assert name == "[Content_Types].xml" or "/" + name in named or name.split(".")[-1] in endings
assert all(name[1:] in parts for name in named)
links = {r.get("Id"): "xl/" + r.get("Target") for r in parts["xl/_rels/workbook.xml.rels"].iter(RELATIONS)}
assert set(links.values()) <= set(parts)
assert [r.get("Target") for r in parts["_rels/.rels"].iter(RELATIONS)] == ["xl/workbook.xml"]
sheets = list(parts["xl/workbook.xml"].iter(MAIN + "sheet"))
print(", ".join(s.get("name") for s in sheets))
sheet = parts[links[sheets[0].get(OFFICE + "id")]]

# The elements of a sheet have an order.
order = ["dimension", "sheetViews", "cols", "sheetData"]
found = [child.tag[len(MAIN):] for child in sheet]
assert found == [name for name in order if name in found], found
texts = ["".join(t.text or "" for t in s.iter(MAIN + "t")) for s in parts["xl/sharedStrings.xml"]]
assert parts["xl/sharedStrings.xml"].get("uniqueCount") == str(len(texts))
styles = parts["xl/styles.xml"]
codes = {f.get("numFmtId"): f.get("formatCode") for f in styles.iter(MAIN + "numFmt")}
formats = [codes.get(x.get("numFmtId"), "General") for x in styles.find(MAIN + "cellXfs")]
for group in ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles"):
    assert styles.find(MAIN + group).get("count") == str(len(styles.find(MAIN + group)))


def number_of(letters):
    n = 0
    for letter in letters:
        n = 26 * n + ord(letter) - 64
    return n


last_row = 0
for row in sheet.find(MAIN + "sheetData"):
    assert int(row.get("r")) > last_row
    last_row, last_column = int(row.get("r")), 0
    for cell in row:
        letters, at = re.fullmatch("([A-Z]+)([0-9]+)", cell.get("r")).groups()
        assert int(at) == last_row and number_of(letters) > last_column
        last_column = number_of(letters)
        assert cell.find(MAIN + "f") is None, "a formula"
        kind, value = cell.get("t", "n"), cell.findtext(MAIN + "v")
        if kind == "s":
            value = texts[int(value)]
        if kind == "inlineStr":
            value = cell.find(MAIN + "is").findtext(MAIN + "t")
        print(cell.get("r"), kind, formats[int(cell.get("s", 0))] if kind == "n" else "", repr(value))
assert sheet.find(MAIN + "dimension").get("ref").endswith(str(last_row))
