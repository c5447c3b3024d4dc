# SPDX-License-Identifier: Apache-2.0
# Its array may run only one task at a time.
reason='JobArrayTaskLimit'
class=limit
make() { job=$(submit alice --array=1-5%1 --gres=gpu:1)_2; wait_until_state "${job%_2}_1" RUNNING; }
facts='.blocking.limits | any(.limit == 1 and .used == 1)'
