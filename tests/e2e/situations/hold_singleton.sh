# SPDX-License-Identifier: Apache-2.0
# It is held, and is the only one of its name, whatever Slurm says of that meanwhile.
reason='JobHeldUser'
class=hold
make() { job=$(submit alice -J one -d singleton --hold); }
facts='.remedies | length == 1'
