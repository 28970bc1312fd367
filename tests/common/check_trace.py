# SPDX-License-Identifier: MIT
"""Checks that a file of --trace is what Perfetto and chrome://tracing read, and what is in it.

usage: check_trace.py FILE [EXPECTATION...]
  cut            the program was killed: the array's end is missing
  arrows         each launch and conversion has one, from its call
  CATEGORY=N     so many slices of the category; CATEGORY>=N: at least
  CATEGORY:TEXT  a slice of the category whose name, or an argument, has the text; !CATEGORY:TEXT: none
  lanes>=N       so many lanes have slices
  stats=FILE     conversions are those of these statistics: as many, and times that agree within 1 %
"""
import bisect
import itertools
import json
import re
import sys

PHASES = {"X", "M", "b", "e", "s", "f"}
LABELS = {"process_name", "thread_name", "process_labels"}
CATEGORIES = {"call", "build", "wait", "launch", "transfer", "conversion", "part", "dl", "flow"}


def load(path, cut):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if cut:
        # What comes before a last line that is not whole.
        whole = text[: text.rindex("}") + 1]
        while True:
            try:
                return json.loads(whole + "]")
            except json.JSONDecodeError:
                whole = whole[: whole.rindex(",\n")]
    return json.loads(text)


def check_event(event):
    phase = event["ph"]
    if phase not in PHASES:
        return "its phase is unknown"
    for key, kind in (("name", str), ("pid", int), ("tid", int), ("args", dict)):
        if not isinstance(event[key], kind):
            return f"{key} is not a {kind.__name__}"
    if phase == "M":
        return None if event["name"] in LABELS else "a label of no kind"
    if event["cat"] not in CATEGORIES:
        return "its category is unknown"
    if not isinstance(event["ts"], (int, float)) or event["ts"] < 0:
        return "ts is not a time"
    if phase == "X" and (not isinstance(event["dur"], (int, float)) or event["dur"] < 0):
        return "dur is not a length"
    return None


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def check_lanes(events):
    """Slices of a lane lie in each other or apart; labels say what each lane is."""
    lanes, named, processes = {}, set(), set()
    for event in events:
        if event["ph"] == "X":
            lanes.setdefault((event["pid"], event["tid"]), []).append(event)
        elif event["ph"] == "M" and event["name"] == "thread_name":
            named.add((event["pid"], event["tid"]))
        elif event["ph"] == "M" and event["name"] == "process_name":
            processes.add(event["pid"])
    wrong = []
    for lane, slices in lanes.items():
        if lane not in named or lane[0] not in processes:
            wrong.append(f"lane {lane} has no name")
        stack = []
        for event in sorted(slices, key=lambda e: (e["ts"], -e["dur"])):
            start = nanoseconds(event["ts"])
            end = start + nanoseconds(event["dur"])
            while stack and stack[-1][0] <= start:
                stack.pop()
            if stack and end > stack[-1][0]:
                wrong.append(f"{event} overlaps {stack[-1][1]}")
            stack.append((end, event))
    return wrong, len(lanes)


def check_beside(events):
    begun, wrong = {}, []
    for event in events:
        if event["ph"] == "b":
            begun[event["id"]] = event
        elif event["ph"] == "e":
            start = begun.pop(event["id"], None)
            if not start or start["ts"] > event["ts"] or start["name"] != event["name"]:
                wrong.append(f"{event} ends what has not begun")
    return wrong + [f"{event} does not end" for event in begun.values()]


def check_arrows(events, all_have_one):
    """Each begins within a call and ends at the beginning of a slice."""
    ends = {"s": {}, "f": {}}
    for event in events:
        if event["ph"] in ends:
            if event["id"] in ends[event["ph"]]:
                return [f"{event}: a second of this id"]
            ends[event["ph"]][event["id"]] = event
    if ends["s"].keys() != ends["f"].keys():
        return ["arrows without a beginning or an end"]
    lanes, at = {}, set()
    for event in events:
        if event["ph"] == "X":
            lane = lanes.setdefault((event["pid"], event["tid"]), [])
            lane.append((nanoseconds(event["ts"]), nanoseconds(event["ts"]) + nanoseconds(event["dur"])))
            at.add((event["pid"], event["tid"], nanoseconds(event["ts"])))
    wrong = []
    for event in ends["f"].values():
        if event.get("bp") != "e" or (event["pid"], event["tid"], nanoseconds(event["ts"])) not in at:
            wrong.append(f"{event} points at no slice")
    # Of the slices that have begun by then, one is open where the last to end has not.
    begins, last_ends = {}, {}
    for lane, slices in lanes.items():
        slices.sort()
        begins[lane] = [start for start, _ in slices]
        last_ends[lane] = list(itertools.accumulate((end for _, end in slices), max))
    for event in ends["s"].values():
        now, lane = nanoseconds(event["ts"]), (event["pid"], event["tid"])
        begun = bisect.bisect_right(begins.get(lane, []), now)
        if not begun or last_ends[lane][begun - 1] < now:
            wrong.append(f"{event} begins in no call")
    pointed = {(e["pid"], e["tid"], nanoseconds(e["ts"])) for e in ends["f"].values()}
    if all_have_one:
        wrong += [f"{e} has no arrow" for e in events if e["ph"] == "X" and e["cat"] in ("launch", "conversion")
                  and (e["pid"], e["tid"], nanoseconds(e["ts"])) not in pointed]
    return wrong


def check_stats(events, path):
    with open(path, encoding="utf-8") as file:
        stats = json.load(file)
    slices = [e for e in events if e.get("cat") == "conversion"]
    count = sum(m["count"] for m in stats["marshals"])
    wrong = []
    if count == 0 or len(slices) != count:
        wrong.append(f"{len(slices)} conversions, the statistics have {count}")
    ours = sum(e["dur"] for e in slices) / 1e3
    theirs = sum(m["time_ms"] for m in stats["marshals"])
    if abs(ours - theirs) > 0.01 * theirs:
        wrong.append(f"conversions take {ours} ms, by the statistics {theirs} ms")
    return wrong


def expect(events, lanes, want):
    spans = [e for e in events if e["ph"] in "Xb"]
    if match := re.fullmatch(r"(!?)(\w+):(.*)", want):
        none, category, text = match.groups()
        found = any(e["cat"] == category and
                    (text in e["name"] or text in e["args"].values()) for e in spans)
        return None if found != bool(none) else f"{want}: not so"
    match = re.fullmatch(r"(\w+)(>?=)(\d+)", want)
    if not match:
        sys.exit(f"check_trace: {want}: not an expectation")
    category, sign, number = match.group(1), match.group(2), int(match.group(3))
    count = lanes if category == "lanes" else sum(e["cat"] == category for e in spans)
    right = count == number if sign == "=" else count >= number
    return None if right else f"{want}: there are {count}"


def main():
    wants = sys.argv[2:]
    events = load(sys.argv[1], "cut" in wants)
    wrong = []
    for event in events:
        why = check_event(event)
        if why:
            wrong.append(f"{event}: {why}")
    overlaps, lanes = check_lanes(events)
    wrong += overlaps
    if "cut" not in wants:
        wrong += check_beside(events) + check_arrows(events, "arrows" in wants)
    for want in wants:
        if want in ("cut", "arrows"):
            continue
        if want.startswith("stats="):
            wrong += check_stats(events, want[6:])
        else:
            why = expect(events, lanes, want)
            wrong += [why] if why else []
    for line in wrong[:20]:
        print("check_trace:", line)
    return 1 if wrong else 0


sys.exit(main())
