# SPDX-License-Identifier: MIT
"""Checks a JSON file by a JSON Schema: by the jsonschema package where there is one, and in any case by the
few words that DL's schemas use, all of which it must know.

usage: check_schema.py SCHEMA FILE
"""
import json
import sys

WORDS = {"$schema", "title", "description", "type", "const", "enum", "minimum", "required", "properties",
         "additionalProperties", "items"}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}


def check(schema, value, at, wrong):
    unknown = set(schema) - WORDS
    if unknown:
        wrong.append(f"{at}: the schema has words that this check does not know: {unknown}")
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool)):
        wrong.append(f"{at}: not {schema['type']}: {value!r}")
        return
    if "const" in schema and value != schema["const"]:
        wrong.append(f"{at}: not {schema['const']!r}: {value!r}")
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{at}: none of {schema['enum']}: {value!r}")
    if "minimum" in schema and value < schema["minimum"]:
        wrong.append(f"{at}: below {schema['minimum']}: {value!r}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        wrong += [f"{at}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, member in value.items():
            if name in properties:
                check(properties[name], member, f"{at}.{name}", wrong)
            elif not schema.get("additionalProperties", True):
                wrong.append(f"{at}: {name} is not in the schema")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            check(schema["items"], item, f"{at}[{i}]", wrong)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        value = json.load(file)
    wrong = []
    check(schema, value, "$", wrong)
    try:
        import jsonschema
    except ImportError:
        jsonschema = None
    if jsonschema:
        jsonschema.Draft7Validator.check_schema(schema)
        wrong += [f"jsonschema: {e.json_path}: {e.message}"
                  for e in jsonschema.Draft7Validator(schema).iter_errors(value)]
    for line in wrong[:20]:
        print("check_schema:", line)
    return 1 if wrong else 0


sys.exit(main())
