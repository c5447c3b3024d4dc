# SPDX-License-Identifier: Apache-2.0
"""Plays one round on a real Kubernetes control plane and holds schedlens' answers against what the
scheduler does.

All waiting pods stand at a gate. Each is asked about as it stands: if taking the gate away is all
that is named as its remedy, it must be placed when the gate goes. That is done one by one until
there is none left; the others must all still wait when their gates are gone, too."""

import json
import re
import time

from cluster import quiet, until

# A pod that was turned down is looked at again ten seconds later at most; what must be placed is
# waited for much longer, since the machine may be busy with other things.
CYCLES = 12
NEVER = 25


class Round:
    def __init__(self, cluster, situation, score, rng):
        self.cluster, self.situation, self.score, self.rng = cluster, situation, score, rng
        self.pods = {}  # "namespace/name": as it was made
        self.snapshots = []
        self.judged = set()
        self.slow = 0

    def play(self):
        self.cluster.must("reset_cluster 90s >/dev/null || reset_cluster 90", seconds=200)
        self.build()
        self.release_the_rest(self.release_one_by_one())
        self.settled()
        self.score.end_round(self.situation, self.snapshots)
        return len(self.judged)

    # Building.

    def build(self):
        out, status, complaints = self.cluster.shell("\n".join(f"{line} || exit" for line in self.situation["setup"]))
        if status:
            raise RuntimeError(f"setup: {complaints}")
        self.create(self.situation["running"])
        until(30, lambda: all(pod["node"] or pod["said"] for pod in self.states().values()))
        waiting = [name for name, pod in self.states().items() if not pod["node"]]
        for name in waiting:
            namespace, pod = name.split("/")
            self.cluster.shell(f"kubectl delete pod -n {namespace} {pod} --wait=false")
        until(30, lambda: all(pod["node"] for pod in self.states().values()))
        for pod in self.situation["waiting"]:
            self.pods[f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"] = pod
        self.create(self.situation["waiting"])
        until(30, lambda: len(self.gated()) == len(self.pods), pause=0.3)
        quiet(1, self.states)

    def create(self, pods):
        """Those that the API server refuses are left out."""
        file = self.cluster.kept / "pods.json"
        file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}))
        out, status, complaints = self.cluster.shell(f"kubectl create --validate=false -f {file}")
        refused = [line for line in complaints.splitlines() if "is invalid" in line or "forbidden" in line]
        if status and not refused:
            raise RuntimeError(f"kubectl create: {complaints}")
        for line in refused:
            if match := re.search(r'[Pp]ods? "([^"]+)" is', line):
                self.pods = {name: pod for name, pod in self.pods.items() if not name.endswith("/" + match[1])}

    def states(self):
        text = self.cluster.must("kubectl get pods -A -o json")
        states = {}
        for pod in json.loads(text)["items"]:
            condition = next((c for c in pod["status"].get("conditions", []) if c["type"] == "PodScheduled"), {})
            states[f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"] = {
                "node": pod["spec"].get("nodeName"), "gated": "schedulingGates" in pod["spec"],
                "said": condition.get("message", "") if condition.get("status") == "False" else ""}
        return states

    def gated(self):
        states = self.states()
        return [name for name in self.pods if states.get(name, {}).get("gated")]

    def waits(self):
        states = self.states()
        return [name for name in self.pods if name in states and not states[name]["node"]]

    def placed(self, name):
        return bool(self.cluster.shell(f"pod_node {name}")[0].strip())

    # Asking.

    def take_snapshot(self, name):
        file = self.cluster.snapshot(f"{len(self.snapshots)}-{name}")
        self.snapshots.append(file)
        return file

    def ask(self, pods, name):
        file = self.take_snapshot(name)
        answers = {pod: self.cluster.why(pod, file) for pod in pods}
        return {pod: answer for pod, answer in answers.items() if answer}

    def find(self, pods, name, wanted):
        """One of the pods, by chance, whose answer is the one wanted, and all answers up to it."""
        file, answers = self.take_snapshot(name), {}
        for pod in self.rng.sample(sorted(pods), len(pods)):
            answer = self.cluster.why(pod, file)
            if answer:
                answers[pod] = answer
                if wanted(answer):
                    return pod, answers
        return None, answers

    def said(self, name):
        return self.cluster.shell(f"scheduler_message {name}")[0].strip()

    def release_one_by_one(self):
        """The answers for those that are left, none of which is said to start when it is released."""
        while True:
            pod, answers = self.find(self.gated(), "gated", lambda one: starts_when_released(one) == "now")
            if not pod:
                return answers
            self.judged.add(pod)
            began = time.monotonic()
            self.cluster.must(answers[pod]["remedies"][0]["command"])
            placed = until(NEVER, lambda: self.placed(pod))
            self.slow += placed and time.monotonic() - began > CYCLES
            self.score.check("starts", placed, pod=pod, said=self.said(pod), answer=answers[pod])
            if not placed:
                self.pods.pop(pod)

    def release_the_rest(self, answers):
        gated = self.gated()
        by_namespace = {}
        for name in gated:
            namespace, pod = name.split("/")
            by_namespace.setdefault(namespace, []).append(pod)
        lines = [f"kubectl patch pod -n {namespace} {' '.join(pods)} --type json "
                 "-p '[{\"op\": \"remove\", \"path\": \"/spec/schedulingGates\"}]'"
                 for namespace, pods in by_namespace.items()]
        self.cluster.must("set -e\n" + "\n".join(lines))
        until(NEVER, lambda: all(pod["node"] or (pod["said"] and not pod["gated"] and "gates" not in pod["said"])
                                 for name, pod in self.states().items() if name in gated))
        states = quiet(2, self.states)
        for pod in gated:
            if pod in answers:
                self.judged.add(pod)
                self.score.check("waits", not states[pod]["node"], pod=pod, node=states[pod]["node"],
                                 unsure=answers[pod]["unsure"], answer=answers[pod])

    # Every gate is gone, and nothing is placed any more.

    def settled(self):
        answers = self.ask(self.waits(), "settled")
        for pod, answer in answers.items():
            self.judged.add(pod)
            cause, message = answer["root_cause"]["class"], answer["scheduler_message"] or ""
            explained = cause not in ("none", "unknown", "not_considered", "hold")
            self.score.check("explained", explained, pod=pod, cause=cause,
                             summary=answer["root_cause"]["summary"], said=message, answer=answer)
            said = counts_said(message)
            if said is not None:
                ours = {}
                for one in answer["as_scheduler"]:
                    ours[one["reason"]] = ours.get(one["reason"], 0) + one["count"]
                self.score.check("counts", said == ours and not answer["message_difference"], pod=pod,
                                 said=said, ours=ours, difference=answer["message_difference"], answer=answer)
        for _ in range(3):
            self.remedy()
        self.preemption()

    def remedy(self):
        """The first remedy of one that waits, if it is said to help at once."""
        pod, answers = self.find(self.waits(), "remedy", helps_now)
        if not pod:
            return
        remedy, answer = answers[pod]["remedies"][0], answers[pod]
        out, status, complaints = self.cluster.shell(remedy["command"])
        began = time.monotonic()
        placed = status == 0 and until(NEVER, lambda: self.placed(pod))
        self.slow += placed and time.monotonic() - began > CYCLES
        self.score.check("remedy", placed, pod=pod, cause=answer["root_cause"]["class"], remedy=remedy["kind"],
                         command=remedy["command"], complaint=complaints.strip(), said=self.said(pod),
                         answer=answer)
        quiet(1.5, self.states)


    # Last, since it takes the room of others.

    def preemption(self):
        """A pod like one that waits, and that preempts: does it end pods of the priorities that the
        answer for the other one has? Which of equal ones is decided by seconds."""
        pod, answers = self.find(self.waits(), "preemption", lambda answer: answer["preemption"])
        pod = pod or next(iter(answers), None)
        if not pod:
            return
        answer = answers[pod]
        priorities = {f"{one['metadata']['namespace']}/{one['metadata']['name']}": one["spec"]["priority"]
                      for one in json.loads(self.cluster.must("kubectl get pods -A -o json"))["items"]}
        taker = json.loads(json.dumps(self.pods[pod]))
        taker["metadata"]["name"] = "taker"
        taker["spec"]["priorityClassName"] += "-taker"
        taker["spec"].pop("schedulingGates")
        name = f"{taker['metadata']['namespace']}/taker"
        self.create([taker])
        until(NEVER, lambda: self.placed(name) or self.said(name))
        if not answer["preemption"]:
            quiet(2, self.states)
        else:
            until(NEVER, lambda: self.preempted())
            quiet(1, self.preempted)
        ours = sorted(priorities.get(one) for one in (answer["preemption"] or {"victims": []})["victims"])
        real = sorted(priorities.get(one) for one in self.preempted())
        self.score.check("preempts", ours == real, pod=pod, ours=answer["preemption"], real=self.preempted(),
                         said=self.said(name), answer=answer)

    def preempted(self):
        """On the first node: one of higher priority may take the room, and then others are preempted."""
        events = json.loads(self.cluster.must("kubectl get events -A --field-selector reason=Preempted -o json"))
        seen = sorted((e.get("eventTime") or "", e["message"].rsplit(" ", 1)[-1],
                       f"{e['involvedObject']['namespace']}/{e['involvedObject']['name']}") for e in events["items"])
        return sorted({victim for _, node, victim in seen if node == seen[0][1]})


def helps_now(answer):
    return bool(answer["remedies"]) and answer["remedies"][0]["starts"] == "now"


def starts_when_released(answer):
    """Whether taking the gate away and nothing else is said to let a pod start: now, in_turn, or None."""
    for remedy in answer["remedies"][:1]:
        lines = [line for line in remedy["command"].splitlines() if line.strip()]
        if remedy["kind"] == "release" and len(lines) == 1:
            return remedy["starts"]
    return None


def counts_said(message):
    """{reason: nodes} of "0/24 nodes are available: 8 a, 16 b. preemption: ..."; None where one reason
    is given for the whole pod."""
    if not re.match(r"0/\d+ nodes are available: \d+ ", message):
        return None
    counts = {}
    for part in message.split(": ", 1)[1].split(". ", 1)[0].rstrip(".").split(", "):
        count, reason = part.split(" ", 1)
        counts[reason] = counts.get(reason, 0) + int(count)
    return counts
