# SPDX-License-Identifier: Apache-2.0
# GPUs are free, but the memory beside them is taken.
reason='Resources'
class=fragmentation
make() {
    wait_until_state "$(submit bob -p dev -N2 -n2 --ntasks-per-node=1 --mem=900000)" RUNNING
    job=$(submit alice -p dev --gres=gpu:1 --mem=200000)
}
facts='.gpus.free == 16 and .gpus.stranded == 16 and (.constraints | any(.name == "memory"))'
