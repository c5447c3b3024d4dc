# SPDX-License-Identifier: Apache-2.0
# GPUs are free, but the CPUs beside them are taken.
reason='Resources'
class=fragmentation
make() {
    wait_until_state "$(submit bob -p dev -N2 -n120 --ntasks-per-node=60 --mem=1G)" RUNNING
    job=$(submit alice -p dev -N1 --gres=gpu:8 -n8)
}
facts='.gpus.free == 16 and .gpus.stranded == 16 and (.constraints | any(.name == "cpus"))'
