# SPDX-License-Identifier: Apache-2.0
# It asked to begin in an hour.
reason='BeginTime'
class=begin_time
make() { job=$(submit alice --gres=gpu:1 --begin=now+1hour); }
facts='.fits_now'
