# SPDX-License-Identifier: MIT
"""Claims: docs/troubleshooting.md has each reason of libdl_intercept/reports/reasons.def with what to do next, and no
other; and no reason is written out where launches are described.

usage: reasons.py SOURCE [--write]"""
import re
import sys

source = sys.argv[1]
page = f"{source}/docs/troubleshooting.md"
head = "| DL says | do this |\n|---|---|\n"

rows = []
for call in re.findall(r"^DL_REASON\((.*?)\)\n(?=\n|DL_REASON|/\*|\Z)", open(f"{source}/libdl_intercept/reports/reasons.def").read(),
                       re.S | re.M):
    name, rest = call.split(",", 1)
    parts = re.findall(r'((?:"(?:[^"\\]|\\.)*"\s*)+)', rest)
    text, step = ("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', part)) for part in parts)
    rows.append((text, step))
if len(rows) < 40:
    sys.exit(f"only {len(rows)} reasons were read")
table = head + "".join(f"| `{text}` | {step or 'nothing'} |\n" for text, step in rows)

text = open(page).read()
begin = text.index(head)
end = text.index("\n\n", begin) + 1
if "--write" in sys.argv:
    open(page, "w").write(text[:begin] + table + text[end:])
elif text[begin:end] != table:
    there, wanted = text[begin:end].splitlines(), table.splitlines()
    sys.exit("docs/troubleshooting.md does not have the table of reasons; tests/docs/reasons.py . --write writes it:\n" +
             "\n".join([f"- {line}" for line in there if line not in wanted] +
                       [f"+ {line}" for line in wanted if line not in there]))
for path, functions in (("launches/counted.c", r"why_\w+"), ("policy/say.c", "why_native")):
    code = open(f"{source}/libdl_intercept/{path}").read()
    for body in re.findall(rf"^static [^;{{]*?\b{functions}\([^;{{]*\)\n{{\n(.*?)^}}", code, re.S | re.M):
        written = [word for word in re.findall(r'"([^"]+)"', body)]
        if written:
            sys.exit(f"{path} has a reason that is not in the table: {written[0]}")
