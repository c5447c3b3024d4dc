# SPDX-License-Identifier: Apache-2.0
# It asks for fewer GPUs than a job of its QOS must have.
reason='QOSMinGRES'
class=limit
make() {
    limits qos where name=normal set MinTRESPerJob=gres/gpu=2
    job=$(submit alice --gres=gpu:1)
}
facts='.blocking.limits | any(.name == "MinTRESPJ" and .limit == 2 and .requested == 1)'
