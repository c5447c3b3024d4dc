# SPDX-License-Identifier: Apache-2.0
# The account above its own has all its GPUs in use.
reason='AssocGrpGRES'
class=limit
make() {
    limits account where name=research set GrpTRES=gres/gpu=8
    wait_until_state "$(submit carol -A vision --gres=gpu:8)" RUNNING
    job=$(submit alice -A llm --gres=gpu:1)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "gres/gpu" and .limit == 8 and .used == 8 and .requested == 1)'
