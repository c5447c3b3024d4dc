# SPDX-License-Identifier: Apache-2.0
# Its account has all its GPUs in use.
reason='AssocGrpGRES'
class=limit
make() {
    limits account where name=llm set GrpTRES=gres/gpu=8
    wait_until_state "$(submit bob --gres=gpu:6)" RUNNING
    job=$(submit alice --gres=gpu:4)
}
facts='.blocking.limits | any(.name == "GrpTRES" and .resource == "gres/gpu" and .limit == 8 and .used == 6 and .requested == 4)'
