# SPDX-License-Identifier: Apache-2.0
"""Random states of a Slurm cluster as tests/testbed/slurm makes it, as lines of shell. What a seed
and a round give is always the same.

No job may preempt another: what preemption does is not predicted, and its answers say so."""

import random

# Who may use which account and QOS; accounts.sh.
USERS = {
    "alice": [("llm", ["normal", "high", "capped"]), ("vision", ["normal"])],
    "bob": [("llm", ["normal", "high", "capped"])],
    "carol": [("vision", ["normal", "high"])],
    "dave": [("product", ["normal"])],
    "erin": [("ads", ["normal"])],
}
PARTITIONS = ["train", "dev", "all", "train,dev", "train,all"]
FEATURES = ["a100", "ib", "rackA", "rackB", "nvme", "big"]


class State:
    def __init__(self, seed, number, nodes):
        self.rng = random.Random(f"{seed} {number}")
        self.nodes = [f"node{i:04d}" for i in range(nodes)]
        self.reservations = []
        self.setup, self.running, self.late, self.waiting = [], [], [], []

    def chance(self, part):
        return self.rng.random() < part

    def some(self, most, least=1):
        return sorted(self.rng.sample(self.nodes, self.rng.randint(least, min(most, len(self.nodes)))))

    # What stands before any job comes.

    def node_settings(self):
        if self.chance(0.5):
            for node in self.some(len(self.nodes) // 2):
                words = ",".join(sorted(self.rng.sample(FEATURES, self.rng.randint(1, 4))))
                self.setup.append(f"node {node} availablefeatures={words} activefeatures={words}")
        for node in self.some(max(1, len(self.nodes) // 3), least=0):
            state = self.rng.choice(["drain", "drain", "down"])
            # Some are taken out while jobs run on them.
            stage = self.late if state == "drain" and self.chance(0.5) else self.setup
            stage.append(f"{state} {node} 'taken out by a test'")

    def partition_settings(self):
        for name in self.rng.sample(["train", "dev", "all"], self.rng.choice([0, 0, 1, 1, 2])):
            self.setup.append(f"partition {name} " + self.rng.choice([
                "MaxTime=40", "MaxNodes=1", "MaxNodes=2", "MinNodes=2", "State=DOWN", "State=INACTIVE",
                "MaxMemPerNode=300000", "MaxCPUsPerNode=16", "MaxCPUsPerNode=32", "AllowQos=normal",
                "AllowQos=high,capped", "AllowAccounts=llm,product", "DenyAccounts=vision",
                "DefMemPerCPU=16000", "OverSubscribe=EXCLUSIVE", "DenyQos=high"]))

    def limits(self):
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            gpus, cpus, nodes = self.rng.randint(2, 24), self.rng.randint(8, 128), self.rng.randint(1, 6)
            amount = self.rng.choice([f"gres/gpu={gpus}", f"cpu={cpus}", f"node={nodes}",
                                      f"mem={self.rng.randint(50, 900)}G"])
            holder = self.rng.choice([
                "qos where name=" + self.rng.choice(["normal", "normal", "high", "capped"]),
                "account where name=" + self.rng.choice(["research", "llm", "vision", "product", "ads"]),
                "user where name=" + self.rng.choice(list(USERS))])
            names = [f"GrpTRES={amount}", f"GrpTRES={amount}", f"MaxTRESPerJob={amount}",
                     f"GrpJobs={self.rng.randint(1, 5)}", f"MaxWall={self.rng.choice([15, 45, 90])}",
                     f"GrpTRESRunMins=cpu={cpus * 60}"]
            if holder.startswith("qos"):
                names += [f"MaxTRESPerUser={amount}", f"MaxTRESPerUser={amount}",
                          f"MaxTRESPerAccount={amount}", f"MaxJobsPerUser={self.rng.randint(1, 4)}",
                          f"MaxJobsPerAccount={self.rng.randint(1, 5)}",
                          f"MinTRESPerJob=gres/gpu={self.rng.randint(1, 3)}"]
            else:
                names += [f"MaxJobs={self.rng.randint(1, 4)}"]
            self.setup.append(f"limits {holder} set {self.rng.choice(names)}")

    def reserved(self):
        for number in range(self.rng.choice([0, 0, 0, 1, 1, 2])):
            name = f"resv{number}"
            who = self.rng.choice(["users=root", "users=alice", "accounts=llm", "users=carol,dave"])
            start = self.rng.choice(["now", "now", "now+30minutes", "now+30minutes", "now+5hours"])
            nodes = ",".join(self.some(3))
            flags = self.rng.choice(["IGNORE_JOBS", "IGNORE_JOBS", "IGNORE_JOBS,MAINT"])
            self.late.append(f"reserve {name} nodes={nodes} starttime={start} {who} flags={flags}")
            self.reservations.append(name)

    # Jobs.

    def owner(self):
        user = self.rng.choice(list(USERS))
        account, qos = self.rng.choice(USERS[user])
        return user, [f"-A {account}", f"-q {self.rng.choice(qos)}"]

    def size(self):
        r = self.rng
        gpus = r.choice([1, 1, 2, 2, 4, 4, 5, 8])
        kind = r.choice(["gres"] * 5 + ["typed", "cpus", "cpus", "cpus", "memory", "memory", "nodes",
                        "nodes", "job_gpus", "task_gpus", "whole", "per_gpu", "tasks"])
        if kind == "gres":
            return [f"--gres=gpu:{gpus}"] + r.choice([[], [f"-c {r.choice([2, 8, 16])}"],
                                                      [f"--mem={r.choice([10, 100, 400])}G"]])
        if kind == "typed":
            return [f"--gres=gpu:{r.choice(['a100'] * 3 + ['h100'])}:{gpus}"]
        if kind == "cpus":
            return r.choice([[f"-n {r.choice([1, 4, 16, 40, 64, 100])}"], [f"-c {r.choice([4, 16, 48, 64])}"],
                             [f"-N 1 -n {r.choice([2, 16, 50])}"]])
        if kind == "memory":
            return r.choice([[f"--mem={r.choice([20, 200, 500, 900])}G"],
                             [f"-n {r.choice([4, 16])} --mem-per-cpu={r.choice([2, 10, 30])}G"]])
        if kind == "nodes":
            nodes = r.choice(["1-3", "2", "2", "3", "4", str(len(self.nodes) // 2 + 1)])
            return [f"-N {nodes}"] + r.choice([[], [f"--gres=gpu:{gpus}"], [f"--ntasks-per-node={r.choice([2, 16])}"]])
        if kind == "job_gpus":
            return [f"--gpus={r.choice([2, 6, 8, 12, 20])}"] + r.choice([[], ["-N 1"], ["-N 2"]])
        if kind == "task_gpus":
            return [f"-n {r.choice([2, 4, 8])} --gpus-per-task={r.choice([1, 2])}"]
        if kind == "whole":
            return ["--exclusive"] + r.choice([[], ["-N 2"], [f"--gres=gpu:{gpus}"]])
        if kind == "per_gpu":
            return [f"--gres=gpu:{gpus}", r.choice([f"--cpus-per-gpu={r.choice([2, 8, 12])}",
                                                    f"--mem-per-gpu={r.choice([20, 120])}G"])]
        return [f"-N 1 -n {r.choice([2, 4])} -c {r.choice([4, 8, 12])}"]

    def wishes(self, running):
        r = self.rng
        words = []
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            words.append(r.choice([
                f"-C {r.choice(FEATURES)}", f"-C '{r.choice(FEATURES)}&{r.choice(FEATURES)}'",
                f"-C '{r.choice(FEATURES)}|{r.choice(FEATURES)}'", f"-x {','.join(self.some(4))}",
                f"-x {','.join(self.some(4))}", f"-w {self.some(1)[0]}",
                "-L matlab:1", "-L matlab:2", "-t 10", "-t 60", "-t 300",
                "--begin=now+2hours", "-d singleton -J one", f"-d afterok:${{r[{r.randrange(running)}]}}",
                "--nice=500"] + [f"--reservation={name}" for name in self.reservations] * 3))
        # A later option of a kind takes the place of an earlier one.
        return words

    def job(self, running=0):
        user, words = self.owner()
        words.append(f"-p {self.rng.choice(PARTITIONS)}")
        words += [f"-t {self.rng.choice([10, 20, 60, 200])}"] + self.size()
        if running:
            words += self.wishes(running)
        return user, words


def make(seed, number, nodes, candidates):
    """The lines of a round: setup, then running jobs (their ids are put into r), then what comes over
    them, then waiting jobs, all of them held."""
    state = State(seed, number, nodes)
    state.node_settings()
    state.partition_settings()
    state.limits()
    if state.chance(0.3):
        state.setup.append("r+=($(submit bob -p all -L matlab:" + state.rng.choice(["1", "2"]) + "))")
    for _ in range(state.rng.randint(nodes // 2, nodes * 2)):
        user, words = state.job()
        if state.chance(0.4):
            words.append(f"-w {state.some(1)[0]}")
        state.running.append(f"submit {user} {' '.join(words)}")
    state.reserved()
    for _ in range(candidates):
        user, words = state.job(running=max(1, len(state.running)))
        state.waiting.append(f"submit {user} -H {' '.join(words)}")
    return {"scheduler": "slurm", "seed": seed, "round": number, "nodes": nodes, "setup": state.setup,
            "running": state.running, "late": state.late, "waiting": state.waiting}
