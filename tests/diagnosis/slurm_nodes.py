# SPDX-License-Identifier: Apache-2.0
"""Node by node: would this job start there now? `sbatch --test-only` knows, as long as nothing else
waits: it does not look at limits, licences and dependencies, and answers for one partition."""

import re
import shlex
import time

JOBS = 7  # a round
UNTESTED = re.compile(r"-d \S+( -J one)?|--begin=\S+|-L \S+|--nice=\S+")
WISHES = {"features": re.compile(r"-C ('[^']*'|\S+)"), "excluded_nodes": re.compile(r"-x \S+")}
STARTS = re.compile(r"to start at (\S+)")
CANNOT = ("Requested node configuration is not available", "Requested nodes are busy",
          "Required node not available", "Requested reservation is in use")


def for_one_node(line):
    """The request without what test-only does not see; None where it is not about one node."""
    words = line.replace(" -H ", " ")
    if "-w " in words or "--gpus=" in words or re.search(r"-p \S+,", words):
        return None
    counts = re.findall(r"-N (\S+)", words)
    if any(count != "1" for count in counts) or (re.search(r"-n [0-9]", words) and not counts):
        return None
    return UNTESTED.sub("", words)


def check_nodes(play, answers):
    jobs = [job for job in answers if for_one_node(play.jobs[job])]
    for job in play.rng.sample(jobs, min(JOBS, len(jobs))):
        answer, request = answers[job], for_one_node(play.jobs[job])
        constraints = answer["constraints"]
        nodes = play.nodes
        fails = {node for c in constraints for node in c["nodes"]}
        compare(play, job, request, set(nodes) - fails, "nothing")
        for name, pattern in WISHES.items():
            if not pattern.search(request):
                continue
            alone = {node for c in constraints if c["name"] == name for node in c["only_nodes"]}
            compare(play, job, pattern.sub("", request), (set(nodes) - fails) | alone, name)


def compare(play, job, request, expected, lifted):
    words = shlex.split(request)
    user, options = words[1], " ".join(shlex.quote(word) for word in words[2:])
    script = (f"export USER={user}; cd \"$TESTBED_DIR/out\"; for node in {' '.join(play.nodes)}; do echo \"$node "
              f"$(as {user} sbatch --test-only {options} -N 1 -w $node --wrap true 2>&1 | tr '\\n' ' ')\"; done")
    begun = time.time()
    said = dict(line.split(" ", 1) for line in play.cluster.shell(script)[0].splitlines() if " " in line)
    now = set()
    for node, text in said.items():
        if start := STARTS.search(text):
            when = time.mktime(time.strptime(start[1], "%Y-%m-%dT%H:%M:%S"))
            if when < begun + 60:
                now.add(node)
        elif not any(word in text for word in CANNOT):
            return  # refused for something that is not about nodes
    for node in play.nodes:
        play.score.check("nodes", (node in now) == (node in expected), job=job, node=node, lifted=lifted,
                         request=request, starts=node in now, said=said.get(node, "").strip(),
                         ours=[c["name"] for c in play_constraints(play, job) if node in c["nodes"]])


def play_constraints(play, job):
    return play.first[job]["constraints"]
