# SPDX-License-Identifier: Apache-2.0
# The first of pods that want to be together may start anywhere with the label.
says='*8 Insufficient nvidia.com/gpu.*'
class=constraint
make() {
    hold 1 8 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(on_rack 1), affinity: {$(with_pods "$(term team rack)")}" "labels: {app: team}" | apply
}
facts='.constraints | all(.name != "InterPodAffinity")'
