# SPDX-License-Identifier: Apache-2.0
"""Plays one round on a real Slurm and holds schedlens' answers against what it does.

All waiting jobs are submitted held. Each is asked about as it stands: if a release alone is named
as its remedy, it must start when it is released; if not, it must still wait when all of those are
released together, since jobs only take room from each other."""

import re
import shlex
import time

from cluster import quiet, until
from slurm_nodes import check_nodes
from slurm_reasons import agrees_with

# Two cycles of both schedulers are six seconds (tests/testbed/slurm). What must start is waited for
# much longer, since the machine may be busy with other things.
CYCLES = 7
NEVER = 20
RELEASED_ALONE = 5  # a round
REMEDIES = 4


class Round:
    def __init__(self, cluster, situation, score, rng):
        self.cluster, self.situation, self.score, self.rng = cluster, situation, score, rng
        self.nodes = [f"node{i:04d}" for i in range(situation["nodes"])]
        self.running_ids, self.jobs = [], {}  # id: the words it was submitted with
        self.snapshots = []
        self.judged = set()
        self.slow = 0

    def play(self):
        # Priorities, too, are to depend on nothing but the round.
        # A slurmctld that was only just started may not listen yet to what the database sends it.
        self.cluster.must("reset_cluster 90 && for _ in {1..20}; do "
                          "reset_usage && exit; sleep 1; done; exit 1", seconds=180)
        self.build()
        if not self.jobs:
            return 0
        answers = self.first = self.ask(self.waiting(), "held")
        check_nodes(self, answers)
        answers = self.release_one_by_one(answers)
        self.release_the_rest(answers)
        self.settled()
        self.score.end_round(self.situation, self.snapshots)
        return len(self.judged)

    # Building.

    def build(self):
        lines = self.situation["setup"]
        out = self.cluster.shell("r=()\n" + "\n".join(lines) + '\necho "ids ${r[*]}"')[0]
        self.running_ids = out.rpartition("ids ")[2].split()
        self.submit(self.situation["running"])
        quiet(3, self.states)
        waiting = [job for job, state in self.states().items() if state == "PD"]
        if waiting:
            self.cluster.shell("scancel " + " ".join(waiting))
        self.cluster.shell("\n".join(self.situation["late"]))
        quiet(1.5, self.states)
        lines = self.situation["waiting"]
        for line, job in zip(lines, self.submit_ids(lines)):
            if job:
                self.jobs[job] = line
        until(10, lambda: len(self.waiting()) == len(self.jobs))

    def submit(self, lines):
        self.running_ids += [job or "0" for job in self.submit_ids(lines)]

    def submit_ids(self, lines):
        """The ids of submitted jobs, in order; empty where Slurm refuses one."""
        script = [f"r=({' '.join(self.running_ids)})"] + [f'x=$({line}) || x=; echo "id $x"' for line in lines]
        out = self.cluster.shell("\n".join(script))[0]
        return [line[3:].strip() for line in out.splitlines() if line.startswith("id")]

    def states(self):
        out = self.cluster.shell("squeue -h -o '%i %t'")[0]
        return dict(line.split() for line in out.splitlines())

    def waiting(self):
        states = self.states()
        return [job for job in self.jobs if states.get(job) == "PD"]

    # Asking.

    def take_snapshot(self, name, jobs):
        file = self.cluster.snapshot(f"{len(self.snapshots)}-{name}", jobs)
        self.snapshots.append(file)
        return file

    def ask(self, jobs, name):
        file = self.take_snapshot(name, jobs)
        answers = {job: self.cluster.why(job, file) for job in jobs}
        return {job: answer for job, answer in answers.items() if answer}

    def find(self, jobs, name, wanted):
        """One of the jobs, by chance, whose answer is the one wanted, and all answers up to it."""
        file, answers = self.take_snapshot(name, jobs), {}
        for job in self.rng.sample(sorted(jobs, key=int), len(jobs)):
            answer = self.cluster.why(job, file)
            if answer:
                answers[job] = answer
                if wanted(job, answer):
                    return job, answers
        return None, answers

    def reason(self, job):
        return self.cluster.shell(f"job_field {job} '%T %r'")[0].strip()

    def release_one_by_one(self, answers):
        """The answers of the last look at those that are left."""
        wanted = lambda job, answer: starts_when_released(job, answer) == "now"  # noqa: E731
        startable = [job for job in answers if wanted(job, answers[job])]
        job = self.rng.choice(startable) if startable else None
        for _ in range(RELEASED_ALONE):
            if not job:
                return answers
            self.judged.add(job)
            began = time.monotonic()
            self.cluster.must(f"scontrol release {job}")
            started = until(NEVER, lambda: self.states().get(job) != "PD")
            self.slow += started and time.monotonic() - began > CYCLES
            self.score.check("starts", started, job=job, submitted=self.jobs[job],
                             slurm=self.reason(job), answer=answers[job])
            if not started:
                self.cluster.shell(f"scontrol hold {job}")
                self.jobs.pop(job)
            job, answers = self.find(self.waiting(), "held", wanted)
        return self.ask(self.waiting(), "held") if job else answers

    def release_the_rest(self, answers):
        held = self.waiting()
        if not held:
            return
        self.cluster.must(f"scontrol release {','.join(held)}")
        states = quiet(CYCLES, self.states)
        for job in held:
            if job not in answers or starts_when_released(job, answers[job]) == "now":
                continue
            self.judged.add(job)
            waits = states.get(job) == "PD"
            self.score.check("waits", waits, job=job, submitted=self.jobs[job],
                             slurm=self.where(job), unsure=answers[job]["unsure"], answer=answers[job])

    def where(self, job):
        return self.cluster.shell(f"job_field {job} '%T %r %N %P'")[0].strip()

    # Everything is released, and nothing starts any more.

    def settled(self):
        answers = self.ask(self.waiting(), "settled")
        for job, answer in answers.items():
            self.judged.add(job)
            cause, reason = answer["root_cause"]["class"], answer["workload"]["reason"] or ""
            explained = cause not in ("none", "unknown", "not_considered")
            self.score.check("explained", explained, job=job, submitted=self.jobs[job], cause=cause,
                             slurm=answer["scheduler_reason"], answer=answer)
            definite = agrees_with(reason, answer)
            if definite is not None:
                self.score.check("reason", definite, job=job, submitted=self.jobs[job], cause=cause,
                                 slurm=answer["scheduler_reason"],
                                 summary=answer["root_cause"]["summary"], answer=answer)
        for _ in range(REMEDIES):
            self.remedy()

    def remedy(self):
        """The first remedy of one that waits, if it is said to help at once."""
        job, answers = self.find(self.waiting(), "remedy", helps_now)
        if not job:
            return
        remedy, answer = answers[job]["remedies"][0], answers[job]
        user = "root" if remedy["who"] == "operator" else answer["workload"]["user"]
        command = shlex.quote(remedy["command"])
        out, status, complaints = self.cluster.shell(f"as {user} bash -c {command}")
        began = time.monotonic()
        started = status == 0 and until(NEVER, lambda: self.states().get(job) != "PD")
        self.slow += started and time.monotonic() - began > CYCLES
        self.score.check("remedy", started, job=job, submitted=self.jobs[job],
                         cause=answer["root_cause"]["class"], remedy=remedy["kind"],
                         command=remedy["command"], complaint=complaints.strip(),
                         slurm=self.where(job), answer=answer)
        quiet(5, self.states)  # the next one is judged by plans that backfill has made anew


def helps_now(_, answer):
    return bool(answer["remedies"]) and answer["remedies"][0]["starts"] == "now"


def starts_when_released(job, answer):
    """Whether a release and nothing else is said to let a held job start: now, in_turn, or None."""
    for remedy in answer["remedies"]:
        if remedy["kind"] == "release" and re.fullmatch(rf"scontrol release {job}\s*", remedy["command"]):
            return remedy["starts"]
    return None
