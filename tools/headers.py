# SPDX-License-Identifier: MIT
"""What the public headers declare, each declaration with the comment above it."""
import os
import re
from sources import read

FOLDER = "include/cairn"
ITEM = re.compile(r"""(?P<comment>/\*.*?\*/)[ \t]*\n
                    | (?P<macro>\#(?:[^\n]*\\\n)*[^\n]*)\n
                    | (?P<blank>[ \t]*\n)
                    | (?P<code>[^\n]*\n)""", re.S | re.X)
SECTION = re.compile(r"--\s+(.*?)\s+--$", re.S)


class Declaration:
    """A function, type or macro: its name, its text as it stands, and the line it begins on."""

    def __init__(self, kind, name, text, line):
        self.kind, self.name, self.text, self.line = kind, name, text, line
        self.result = self.arguments = ""
        if kind == "function":
            before, self.arguments = text.split(name + "(", 1)
            self.result = " ".join(before.split())


class Group:
    """Declarations that follow one another below one comment."""

    def __init__(self, comment, section):
        self.comment, self.section, self.declarations = comment, section, []

    def functions(self):
        return [one for one in self.declarations if one.kind == "function"]

    def types(self):
        return [one for one in self.declarations if one.kind != "function"]


class Header:
    """A header: its name ("table"), the comment at its top, and its groups in order."""

    def __init__(self, name):
        self.name, self.path = name, f"{FOLDER}/{name}.h"
        self.comment, self.groups = "", []
        self.parse(read(self.path))

    def functions(self):
        return [one for group in self.groups for one in group.functions()]

    def parse(self, text):
        """Walk over comments, macros, blank lines and declarations from the top."""
        text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n",
                      lambda found: "\n" * found.group().count("\n"), text, flags=re.S)
        guard = re.search(r"#define \w+_H\n", text)
        top = re.findall(r"^/\*.*?\*/", text[:guard.start()], re.S | re.M)
        self.comment = plain(top[-1]) if len(top) > 1 else ""
        at, group, section, said = guard.end(), None, "", ""
        while at < len(text):
            item = ITEM.match(text, at)
            if not item:
                break
            line = text.count("\n", 0, at) + 1
            at = item.end()
            if item["comment"] and item.start() == text.rfind("\n", 0, item.start() + 1) + 1:
                words = plain(item["comment"])
                title = SECTION.match(words)
                section = " ".join(title.group(1).split()) if title else section
                said, group = "" if title else words, None
            elif item["blank"]:
                said, group = "", None
            else:
                body, at = self.whole(text, item, at)
                one = declared(body, line)
                if one is None:
                    continue
                if group is None:
                    group = Group(said, section)
                    self.groups.append(group)
                group.declarations.append(one)

    @staticmethod
    def whole(text, item, at):
        """A macro as it is; of a declaration everything to the semicolon outside of braces."""
        if item["macro"]:
            return item["macro"], at
        start, depth, at = item.start(), 0, item.start()
        token = re.compile(r"/\*.*?\*/|[{};]", re.S)
        while True:
            found = token.search(text, at)
            if not found:
                return text[start:], len(text)
            at = found.end()
            depth += {"{": 1, "}": -1}.get(found.group(), 0)
            if found.group() == ";" and not depth:
                end = text.index("\n", at) + 1
                return text[start:end].rstrip("\n"), end


def plain(comment):
    """The words of a comment without its marks; empty lines stay between paragraphs."""
    lines = comment[2:-2].split("\n")
    return "\n".join(re.sub(r"^ \* ?", "", line).rstrip() for line in lines).strip()


def declared(text, line):
    """What a piece of a header declares; None where it is of no interest to a reader."""
    macro = re.match(r"#define (CAIRN_\w+)(\(?)", text)
    if macro:
        documented = macro.group(1).endswith("_INIT") or \
            re.match(r"CAIRN_(MATRIX_|VERSION)", macro.group(1))
        return Declaration("macro", macro.group(1), text, line) if documented else None
    if text.startswith("#"):
        return None
    function = re.search(r"\b(cairn_\w+)\(", text)
    if "CAIRN_API" in text and function:
        text = re.sub(r"\s+", " ", text)
        text = re.sub(r"^(?:CAIRN_(?:API|CHECKED)|CAIRN_PRINTF\([^)]*\)) ?", "", text)
        text = re.sub(r"\bCAIRN_(?:API|CHECKED) ", "", text)
        return Declaration("function", function.group(1), text, line)
    kind = re.search(r"\(\*(cairn_\w+)\)\(", text) or \
        re.search(r"^typedef (?:struct|enum) (cairn_\w+)", text) or \
        re.search(r"^(?:struct|enum) (\w+) \{", text) or re.search(r"^typedef .*\b(cairn_\w+);", text)
    return Declaration("type", kind.group(1), text, line) if kind else None


def headers():
    """All public headers of C, sorted by name; cairn.h, which includes them, is left out."""
    names = sorted(name[:-2] for name in os.listdir(FOLDER) if name.endswith(".h"))
    return [Header(name) for name in names if name != "cairn"]
