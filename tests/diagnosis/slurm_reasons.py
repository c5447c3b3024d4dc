# SPDX-License-Identifier: Apache-2.0
"""Where Slurm's own reason is definite: what schedlens must then have found."""

import re

# Reasons of limits, with the names that the limits have in our answer.
LIMITS = [
    (r"(QOS|Assoc)Grp.*RunMin", r"GrpTRESRunMins"),
    (r"(QOS|Assoc)GrpJobs", r"GrpJobs"),
    (r"(QOS|Assoc)GrpWall", r"GrpWall"),
    (r"(QOS|Assoc)Grp", r"GrpTRES"),
    (r"(QOS|Assoc)MaxWall", r"MaxWall"),
    (r"(QOSMaxJobsPerUser|AssocMaxJobs|MaxJobsPerAccount)", r"MaxJobs"),
    (r"(QOS|Assoc)Max.*PerJob", r"MaxTRESP?J?$"),
    (r"QOSMax.*PerUser", r"MaxTRESPU"),
    (r"Max.*PerAccount", r"MaxTRESPA"),
    (r"QOSMin", r"MinTRES"),
    (r"PartitionTimeLimit", r"MaxTime"),
    (r"PartitionNodeLimit", r"(Max|Min)Nodes"),
    (r"MaxMemPerLimit", r"MaxMem"),
]
# Other reasons, with the classes that are true beside them.
CLASSES = [
    (r"JobHeld", ["hold"]),
    (r"Dependency", ["dependency"]),
    (r"BeginTime", ["begin_time"]),
    (r"Licenses", ["licence", "limit"]),  # which of the two Slurm meets first depends on the scheduler
    (r"Reservation$", ["reservation", "constraint", "capacity", "fragmentation", "impossible"]),
    (r"JobArrayTaskLimit", ["limit"]),
    (r"Partition(Down|Inactive)", ["limit"]),
    (r"InvalidQOS", ["limit"]),
    (r"BadConstraints", ["impossible", "hold"]),
]


def agrees_with(reason, answer):
    """Whether the answer says what Slurm does; None where Slurm's word is not definite."""
    cause = answer["root_cause"]["class"]
    if "," in answer["workload"]["queues"] or len(answer["workload"]["queues"]) > 1:
        return None  # the reason is that of the partition tested last
    for pattern, name in LIMITS:
        if re.match(pattern, reason):
            named = any(re.search(name, limit["name"]) for limit in answer["blocking"]["limits"])
            return named and cause in ("limit", "constraint", "impossible")
    for pattern, classes in CLASSES:
        if re.match(pattern, reason):
            return cause in classes
    return None
