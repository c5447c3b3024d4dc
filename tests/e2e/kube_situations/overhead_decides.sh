# SPDX-License-Identifier: Apache-2.0
# The overhead of its runtime class makes it too large.
says='*64 Insufficient cpu.*'
class=impossible
make() {
    apply <<YAML
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: heavy}
handler: heavy
overhead: {podFixed: {cpu: "1"}}
YAML
    shaped p "cpu: 96" "runtimeClassName: heavy" | apply
}
facts='.root_cause.summary | contains("97 cpu")'
