# SPDX-License-Identifier: Apache-2.0
# It asks for more GPUs than a job of its QOS may have.
reason='QOSMaxGRESPerJob'
class=limit
make() {
    limits qos where name=normal set MaxTRESPerJob=gres/gpu=4
    job=$(submit alice --gres=gpu:6)
}
facts='.blocking.limits | any(.name == "MaxTRESPJ" and .limit == 4 and .requested == 6 and .request_alone_exceeds)'
