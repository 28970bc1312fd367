#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seconds.py BUILD [REGEX]: runs the tests of `make test` one by one and prints the processor seconds of each, the
most expensive first. The clock says little on a busy machine, and ctest does not count what outlives a test, such as
DL's builder. A test's processes are counted by a control group of its own (cpuacct, so as root) where one can be made,
and otherwise by the kernel's sums for children that were waited for. Run it by scripts/with-opencl.sh; for numbers of
cold caches remove BUILD/pocl-cache, BUILD/dl-cache* and BUILD/tests/annotate/pocl first."""
import json
import os
import re
import resource
import subprocess
import sys
import time

GROUPS = "/sys/fs/cgroup/cpuacct"
AFTERWARDS_S = 8  # what outlives the last test


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Group:
    """Where the processes of one test are counted."""

    def __init__(self, name):
        self.path = os.path.join(GROUPS, f"dl-{os.getpid()}-{name}")
        try:
            os.mkdir(self.path)
        except OSError:
            self.path = None
        self.before = self.after = children()

    def command(self, command):
        if not self.path:
            return command
        return ["sh", "-c", 'echo $$ >"$0"; exec "$@"', self.path + "/tasks", *command]

    def seconds(self):
        if not self.path:
            return self.after - self.before
        with open(self.path + "/cpuacct.usage", encoding="ascii") as file:
            return int(file.read()) * 1e-9

    def remove(self):
        try:
            if self.path:
                os.rmdir(self.path)
        except OSError:
            pass  # something in it goes on


def main():
    build, pattern = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, check=True)
    tests = []
    for test in json.loads(listed.stdout)["tests"]:
        if not re.search(pattern, test["name"]):
            continue
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        group = Group(test["name"])
        environment = dict(os.environ, **dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", [])))
        done = subprocess.run(group.command(test["command"]), env=environment, check=False,
                              cwd=properties.get("WORKING_DIRECTORY"), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        group.after = children()
        tests.append((group, test["name"], done.returncode))
        print(f"{len(tests)}: {test['name']}", end="\r", file=sys.stderr)
    time.sleep(AFTERWARDS_S)
    rows = sorted(((group.seconds(), name, code) for group, name, code in tests), reverse=True)
    for seconds, name, code in rows:
        print(f"{seconds:8.2f} {name}" + {0: "", 77: "  skipped"}.get(code, f"  FAILED with {code}"))
    print(f"{sum(row[0] for row in rows):8.2f} in {len(rows)} tests")
    for group, _, _ in tests:
        group.remove()


if __name__ == "__main__":
    main()
