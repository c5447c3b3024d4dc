# SPDX-License-Identifier: Apache-2.0
# A pod of a Job that a JobSet has made, which asks for more GPUs than a node has.
since=25
needs=jobset
says='*Insufficient nvidia.com/gpu*'
class=impossible
make() {
    apply <<YAML
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train}
spec: {replicatedJobs: [{name: workers, replicas: 1}]}
YAML
    local uid owner
    uid=$(kubectl get jobset train -o 'jsonpath={.metadata.uid}')
    owner="{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: $uid, controller: true}"
    job train-workers-0 1 "$(gpus 9)" |
        sed "s|^metadata: {name: train-workers-0}|metadata: {name: train-workers-0, ownerReferences: [$owner]}|" | apply
    until_like 20 'train-workers-0-*' job_pod
    pod=default/$(job_pod)
}
job_pod() { kubectl get pods -l batch.kubernetes.io/job-name=train-workers-0 -o 'jsonpath={.items[0].metadata.name}' 2>/dev/null; }
facts='.owners | map(.kind + " " + .name) == ["Job train-workers-0", "JobSet train"]'
