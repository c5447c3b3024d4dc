# SPDX-License-Identifier: Apache-2.0
# An administrator holds it.
reason='JobHeldAdmin'
class=hold
make() {
    job=$(submit alice --gres=gpu:1 --begin=now+1hour)
    scontrol hold "$job"
}
facts='.constraints | all(.name != "dependency")'
