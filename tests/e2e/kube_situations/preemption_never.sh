# SPDX-License-Identifier: Apache-2.0
# Its priority would do, but its class never preempts.
says='*preemption: not eligible due to preemptionPolicy=Never.*'
class=capacity
make() {
    priority patient 1000 "preemptionPolicy: Never"
    fill_pods 512
    shaped p "$(gpus 1)" "priorityClassName: patient" | apply
}
facts='.details | any(contains("preemptionPolicy=Never"))'
