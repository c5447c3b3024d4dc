# SPDX-License-Identifier: Apache-2.0
# It asks for more nodes than there are.
reason='PartitionNodeLimit'
class='limit|impossible'
make() { job=$(submit alice -p all -N9); }
facts='.fits_now | not'
