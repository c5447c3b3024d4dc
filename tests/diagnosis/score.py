# SPDX-License-Identifier: Apache-2.0
"""How often schedlens and the scheduler agreed, by kind of check, and the situations where they
did not, each as a file that builds it again."""

import json
import pathlib
import sys

# Of a hundred answers of a kind one may be wrong before the run fails, if not said otherwise.
WANTED = 0.99


class Score:
    def __init__(self, folder, wanted=None):
        self.folder = pathlib.Path(folder)
        self.wanted = wanted or {}  # kind: the part that must agree
        self.kinds = {}  # kind: [agreed, asked]
        self.differing = []  # of the round that is being played
        self.files = []

    def check(self, kind, agrees, **what):
        """One answer; `what` tells whoever reads a disagreement what was claimed and seen."""
        counted = self.kinds.setdefault(kind, [0, 0])
        counted[1] += 1
        if agrees:
            counted[0] += 1
            return True
        self.differing.append({"check": kind, **what})
        said = ", ".join(f"{key}: {value}" for key, value in what.items() if key != "answer")
        print(f"  DIFFERS {kind}: {said}", flush=True)
        return False

    def end_round(self, situation, snapshots=()):
        """Writes the round down where there was a disagreement in it."""
        differing, self.differing = self.differing, []
        if not differing:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{situation['seed']}-{situation['round']}"
        file = self.folder / f"{name}.json"
        kept = []
        for snapshot in snapshots:
            if snapshot.exists():
                copy = self.folder / f"{name}.{snapshot.name}"
                copy.write_bytes(snapshot.read_bytes())
                kept.append(copy.name)
        file.write_text(json.dumps({**situation, "snapshots": kept, "differing": differing}, indent=1))
        self.files.append(file)

    def summary(self, what):
        """Prints the score and returns the status to exit with."""
        print(f"\n{what}")
        enough = bool(self.kinds)
        for kind, (agreed, asked) in sorted(self.kinds.items()):
            part, wanted = agreed / asked, self.wanted.get(kind, WANTED)
            enough &= part >= wanted
            print(f"  {kind:<10} {agreed} of {asked}" + ("" if part >= wanted else f"  ({part:.0%}, not {wanted:.0%})"))
        for file in self.files:
            print(f"  see {file}; play it again with --replay {file}")
        if not self.kinds:
            print("  nothing was asked")
        elif not enough:
            print("FAILED: too few of a kind agreed", file=sys.stderr)
        return 0 if enough else 1
