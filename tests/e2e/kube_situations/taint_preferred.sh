# SPDX-License-Identifier: Apache-2.0
# A taint that only asks to stay away keeps nobody away.
says='*8 Insufficient nvidia.com/gpu.*'
class=constraint
make() {
    taint $(node_names 1 8) team=red:PreferNoSchedule
    hold 1 8 "$(gpus 8)"
    shaped p "$(gpus 1)" "$(on_rack 1)" | apply
}
facts='.constraints | all(.name != "TaintToleration")'
