# SPDX-License-Identifier: Apache-2.0
# A pod belongs to a gang of Kubernetes itself that nobody has made. The scheduler says nothing.
needs=gangs
says=''
class=dependency
counted=no
make() {
    group_pod p ring 1
    sleep 9 # before, the scheduler may just not have come to it
}
facts='.root_cause.summary | contains("Its PodGroup ring does not exist")'
remedy() { pod_group ring 1; }
