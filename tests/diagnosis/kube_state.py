# SPDX-License-Identifier: Apache-2.0
"""Random states of a Kubernetes cluster as tests/testbed/kube makes it: lines of shell for the nodes,
and pods. What a seed and a round give is always the same.

No pod preempts another, so that what waits goes on waiting until something is changed. Of every class
of priority there is one that does, "-taker", which one pod a round is made anew in at its end."""

import random

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
PRODUCT, GPU = "nvidia.com/gpu.product", "nvidia.com/gpu"
APPS = ["a", "b", "c"]
CLASSES = {"low": 10, "middle": 1000, "high": 100000}


class State:
    def __init__(self, seed, number, nodes):
        self.rng = random.Random(f"{seed} {number}")
        self.nodes = [f"gpu-{i:03d}" for i in range(1, nodes + 1)]
        self.racks = [f"rack-{i:03d}" for i in range(1, (nodes + 7) // 8 + 1)]
        self.setup = ["namespace other team=red", "namespace third team=blue"]
        self.setup += [f"priority {name} {value} 'preemptionPolicy: Never'" for name, value in CLASSES.items()]
        self.setup += [f"priority {name}-taker {value}" for name, value in CLASSES.items()]

    def chance(self, part):
        return self.rng.random() < part

    def some(self, most, least=1):
        return sorted(self.rng.sample(self.nodes, self.rng.randint(least, min(most, len(self.nodes)))))

    def node_settings(self):
        r, count = self.rng, len(self.nodes)
        for _ in range(r.choice([0, 1, 1, 2, 3])):
            nodes = " ".join(self.some(count // 3))
            self.setup.append(r.choice([
                f"cordon {nodes}", f"kubectl taint node {nodes} --overwrite {self.taint()}",
                f"kubectl taint node {nodes} --overwrite {self.taint()}",
                f"kubectl label node {nodes} --overwrite {r.choice(['tier=gold', 'tier=silver', 'size=3', 'size=12', 'size=big'])}",
                f"kubectl label node {nodes} {r.choice(['rack-', ZONE + '-'])}",
                f"kubectl annotate node {nodes} schedlens.test/unhealthy-gpus={r.randint(1, 8)}"]))
        if self.chance(0.15):
            self.setup.append(f"node_not_ready {r.choice(self.nodes)}")

    def storage(self):
        """Claims of namespace default: bound to a volume of a zone, of some nodes, of any; for one pod only;
        to be bound where the pod lands, to a volume of some nodes; never bound."""
        hosts = "required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}"
        self.setup += ["storage_class slow Immediate", "storage_class late WaitForFirstConsumer"]
        for name, spec, metadata, mode in [
                ("zonal", "", f"labels: {{{ZONE}: {self.rng.choice(['zone-1', 'zone-2'])}}}", "ReadWriteOnce"),
                ("local", f"nodeAffinity: {{{hosts % (HOST, ', '.join(self.some(6)))}}}", "", "ReadWriteOnce"),
                ("anywhere", "", "", "ReadWriteOnce"), ("single", "", "", "ReadWriteOncePod")]:
            self.setup += [f'volume {name} slow "{spec}" "{metadata}" {mode}', f"bound_claim {name} slow {mode}"]
        self.setup += [f'volume later late "nodeAffinity: {{{hosts % (HOST, ", ".join(self.some(8)))}}}"',
                       "claim later late", "claim never slow"]

    def uses_claim(self, pod, claims):
        pod["metadata"]["namespace"] = "default"
        pod["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": self.rng.choice(claims)}}]

    def taint(self):
        return f"{self.rng.choice(['dedicated', 'maintenance'])}={self.rng.choice(['x', 'y'])}:NoSchedule"

    # Parts of a pod's spec.

    def amounts(self):
        r = self.rng
        limits = {"cpu": r.choice(["500m", "1", "4", "12", "40", "90"]),
                  "memory": r.choice(["1Gi", "16Gi", "100Gi", "400Gi", "900Gi"])}
        if self.chance(0.75):
            limits[GPU] = str(r.choice([1, 1, 2, 2, 3, 4, 4, 6, 8, 8]))
        if self.chance(0.05):
            limits["ephemeral-storage"] = r.choice(["1Gi", "100Gi", "2000Gi"])
        if self.chance(0.03):
            limits[r.choice(["nvidia.com/gpus", "example.com/fpga"])] = "1"
        return limits

    def containers(self):
        r = self.rng
        spec = {"containers": [{"name": "main", "image": "none", "resources": {"limits": self.amounts()}}]}
        if self.chance(0.15):
            spec["containers"].append({"name": "second", "image": "none", "resources": {
                "limits": {"cpu": "2", "memory": "8Gi"}}})
        if self.chance(0.15):
            first = {"name": "first", "image": "none", "resources": {"limits": self.amounts()}}
            if self.chance(0.5):
                first["restartPolicy"] = "Always"
            spec["initContainers"] = [first]
        if self.chance(0.1):
            spec["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": r.choice([8080, 8081])}]
        return spec

    def expression(self):
        r = self.rng
        key, values = r.choice([("rack", self.racks), (ZONE, ["zone-1", "zone-2"]), ("tier", ["gold", "silver"]),
                                ("size", ["3", "5", "12"]), (HOST, self.some(4)), (PRODUCT, PRODUCTS)])
        operator = r.choice(["In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"])
        if operator in ("Exists", "DoesNotExist"):
            return {"key": key, "operator": operator}
        if operator in ("Gt", "Lt"):
            return {"key": "size", "operator": operator, "values": [r.choice(["2", "4", "11"])]}
        return {"key": key, "operator": operator, "values": r.sample(values, r.randint(1, len(values)))}

    def node_affinity(self):
        r, terms = self.rng, []
        for _ in range(r.choice([1, 1, 2])):
            term = {"matchExpressions": [self.expression() for _ in range(r.choice([1, 1, 2]))]}
            if self.chance(0.15):
                term["matchFields"] = [{"key": "metadata.name", "operator": r.choice(["In", "NotIn"]),
                                        "values": [r.choice(self.nodes)]}]
                if self.chance(0.5):
                    del term["matchExpressions"]
            terms.append(term)
        return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}

    def pod_term(self):
        r = self.rng
        term = {"labelSelector": {"matchLabels": {"app": r.choice(APPS)}},
                "topologyKey": r.choice(["rack", "rack", ZONE, HOST, HOST, "tier"])}
        if self.chance(0.15):
            term["labelSelector"] = {"matchExpressions": [{
                "key": "app", "operator": r.choice(["In", "NotIn"]), "values": r.sample(APPS, r.randint(1, 2))}]}
        if self.chance(0.2):
            term["namespaces"] = r.sample(["default", "other", "third"], r.randint(1, 2))
        elif self.chance(0.2):
            term["namespaceSelector"] = r.choice([{}, {"matchLabels": {"team": r.choice(["red", "blue", "green"])}}])
        return term

    def pod_affinity(self, kind=None):
        kind = kind or self.rng.choice(["podAffinity", "podAntiAffinity", "podAntiAffinity"])
        terms = [self.pod_term() for _ in range(self.rng.choice([1, 1, 1, 2]))]
        return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": terms}}

    def spread(self):
        r = self.rng
        one = {"maxSkew": r.choice([1, 1, 2]), "topologyKey": r.choice(["rack", ZONE, HOST, "tier"]),
               "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": r.choice(APPS)}}}
        if self.chance(0.2):
            one["minDomains"] = r.randint(2, 4)
        if self.chance(0.3):
            one["nodeTaintsPolicy"] = r.choice(["Honor", "Ignore"])
        if self.chance(0.3):
            one["nodeAffinityPolicy"] = r.choice(["Honor", "Ignore"])
        return one

    def toleration(self):
        r = self.rng
        return r.choice([{"operator": "Exists"}, {"key": "dedicated", "operator": "Exists"},
                         {"key": "dedicated", "operator": "Equal", "value": r.choice(["x", "y"]), "effect": "NoSchedule"},
                         {"key": "maintenance", "operator": "Exists", "effect": r.choice(["NoSchedule", "NoExecute"])},
                         {"key": "node.kubernetes.io/unschedulable", "operator": "Exists"}])

    def wishes(self, spec, parts):
        affinity = {}
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            part = self.rng.choice(parts)
            if part == "selector":
                key, value = self.rng.choice([("rack", self.rng.choice(self.racks)), (ZONE, "zone-1"),
                                              ("tier", "gold"), (PRODUCT, self.rng.choice(PRODUCTS)),
                                              (HOST, self.rng.choice(self.nodes))])
                spec["nodeSelector"] = {**spec.get("nodeSelector", {}), key: value}
            elif part == "affinity":
                affinity.update(self.node_affinity())
            elif part == "pods":
                affinity.update(self.pod_affinity())
            elif part == "spread":
                spec["topologySpreadConstraints"] = [self.spread() for _ in range(self.rng.choice([1, 1, 2]))]
            elif part == "toleration":
                spec.setdefault("tolerations", []).append(self.toleration())
        if affinity:
            spec["affinity"] = affinity
        if "topologySpreadConstraints" in spec:  # one of a kind
            pairs = {one["topologyKey"]: one for one in spec["topologySpreadConstraints"]}
            spec["topologySpreadConstraints"] = list(pairs.values())

    def pod(self, name):
        metadata = {"name": name, "namespace": self.rng.choice(["default"] * 4 + ["other", "third"])}
        if self.chance(0.7):
            metadata["labels"] = {"app": self.rng.choice(APPS)}
        spec = self.containers()
        spec["priorityClassName"] = self.rng.choice(list(CLASSES))
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}

    def running_pod(self, number):
        pod = self.pod(f"r{number}")
        if self.chance(0.3):
            self.wishes(pod["spec"], ["pods", "toleration"])
        if self.chance(0.5):
            pod["spec"]["nodeName"] = self.rng.choice(self.nodes)
            for container in pod["spec"]["containers"]:
                container.pop("ports", None)
        if self.chance(0.05):
            self.uses_claim(pod, ["anywhere", "single"])
        return pod

    def waiting_pod(self, number):
        pod = self.pod(f"w{number}")
        self.wishes(pod["spec"], ["selector", "affinity", "affinity", "pods", "pods", "spread", "spread", "toleration"])
        if self.chance(0.2):
            self.uses_claim(pod, ["zonal", "zonal", "local", "local", "anywhere", "single", "later", "never", "missing"])
        pod["spec"]["schedulingGates"] = [{"name": "schedlens.test/hold"}]
        return pod


PRODUCTS = ["NVIDIA-H100-80GB-HBM3", "NVIDIA-A100-SXM4-80GB"]


def make(seed, number, nodes, candidates):
    """A round: lines of shell that set the nodes up, pods that run, and pods that wait at a gate."""
    state = State(seed, number, nodes)
    state.node_settings()
    state.storage()
    count = state.rng.randint(nodes, nodes * 3)
    return {"scheduler": "kubernetes", "seed": seed, "round": number, "nodes": nodes, "setup": state.setup,
            "running": [state.running_pod(i) for i in range(count)],
            "waiting": [state.waiting_pod(i) for i in range(candidates)]}
