# SPDX-License-Identifier: Apache-2.0
# No pod of the kind it wants to be near runs.
says='*64 node(s) didn*t match pod affinity rules.*'
class=constraint
make() { shaped p "$(gpus 1)" "affinity: {$(with_pods "$(term db kubernetes.io/hostname)")}" | apply; }
facts='.constraints | any(.name == "InterPodAffinity" and .only == 64)'
