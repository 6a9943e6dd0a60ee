"""Prints an app with COUNT entity types, each with the operations of KINDS: app.py SUBJECT COUNT KINDS

SUBJECT.swift has the type `Post` and its operations, separated by empty lines. A function is an operation of the kind with
which its name begins, as `setPost` of `s`. `createPost` is what each type needs. Of a kind that the subject doesn't have, there
is nothing in the app.
"""

import pathlib
import re
import sys

subject, count, kinds = sys.argv[1], int(sys.argv[2]), sys.argv[3]
calls = []
for block in (pathlib.Path(__file__).parent / f"{subject}.swift").read_text().split("\n\n"):
    operation = re.match(r"func ((\w)\w+)\(\)( throws)?", block)
    if operation and operation[2] not in "c" + kinds:
        continue
    for number in range(count if "Post" in block else 1):
        print(block.strip().replace("Post", f"Post{number}") + "\n")
        if operation:
            calls.append(("try " if operation[3] else "") + operation[1].replace("Post", f"Post{number}") + "()")
print("\n".join(calls))
