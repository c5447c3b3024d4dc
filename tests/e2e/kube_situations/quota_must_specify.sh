# SPDX-License-Identifier: Apache-2.0
# The quota counts memory, and the Job's pods do not say how much they take.
says='*failed quota: team: must specify requests.memory for: main'
class=limit
owner='Job train'
make() {
    quota team 'requests.memory: 1Ti'
    job train 1 'cpu: 1' | apply
}
facts='.summary | contains("must specify requests.memory")'
