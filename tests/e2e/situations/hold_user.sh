# SPDX-License-Identifier: Apache-2.0
# Its owner holds it.
reason='JobHeldUser'
class=hold
make() { job=$(submit alice --hold --gres=gpu:1); }
facts='.fits_now'
