# SPDX-License-Identifier: Apache-2.0
"""The command line of random_slurm and random_kube, and their loop over rounds."""

import argparse
import json
import pathlib
import random
import shutil
import time

from cluster import Cluster
from score import Score


def arguments(about, candidates, count):
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schedlens")
    parser.add_argument("cluster", metavar="CLUSTER_DIR")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=count, help="rounds (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first round's number (default: %(default)s)")
    parser.add_argument("--waiting", type=int, default=candidates,
                        help="workloads that wait in each round (default: %(default)s)")
    parser.add_argument("--out", metavar="DIR",
                        help="where disagreements are written (default: CLUSTER_DIR-disagreements)")
    parser.add_argument("--replay", metavar="FILE", action="append", default=[],
                        help="play the round of such a file again instead")
    return parser.parse_args()


def situations(args, make, nodes):
    for file in args.replay:
        yield json.loads(pathlib.Path(file).read_text())
    if not args.replay:
        for number in range(args.first, args.first + args.count):
            yield make(args.seed, number, nodes, args.waiting)


def main(args, make, Round, libraries, options, wanted=None):
    cluster = Cluster(args.schedlens, args.cluster, libraries)
    cluster.options = options(cluster.environment())
    nodes = int(cluster.environment()["TESTBED_NODES"])
    score = Score(args.out or args.cluster.rstrip("/") + "-disagreements", wanted)
    judged = rounds = slow = 0
    begun = time.monotonic()
    try:
        for situation in situations(args, make, nodes):
            since = time.monotonic()
            rng = random.Random(f"play {situation['seed']} {situation['round']}")
            play = Round(cluster, situation, score, rng)
            before = {kind: asked for kind, (_, asked) in score.kinds.items()}
            count = play.play()
            checks = sum(asked - before.get(kind, 0) for kind, (_, asked) in score.kinds.items())
            judged, rounds, slow = judged + count, rounds + 1, slow + play.slow
            print(f"round {situation['seed']}-{situation['round']}: {count} judged, {checks} checks, "
                  f"{time.monotonic() - since:.0f}s", flush=True)
        cluster.must("reset_cluster 90", seconds=150)
    finally:
        shutil.rmtree(cluster.kept, ignore_errors=True)
    return score.summary(f"{judged} workloads judged in {rounds} rounds, in {time.monotonic() - begun:.0f}s; "
                         f"{slow} came later than two cycles")
