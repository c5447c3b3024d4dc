// SPDX-License-Identifier: Apache-2.0
#pragma once
// Telling systemd how we are (sd_notify): one datagram to the socket in $NOTIFY_SOCKET.

#include <string_view>

namespace schedlens::os {

// "READY=1", "STOPPING=1", "RELOADING=1". Does nothing where nobody listens; false when the
// message could not be sent.
bool tell_service_manager(std::string_view state);

}  // namespace schedlens::os
