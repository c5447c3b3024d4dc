// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of serving that needs no socket: running a handler and compressing what it says, unless
// it says it in pieces.

#include <string>

#include "http/router.h"
#include "http/server.h"

namespace schedlens::http {

// The handler's response, compressed where the client takes it and it is worth it. An exception of
// the handler becomes a 500. Any thread.
Response answer(const ServerOptions& options, const Route& route, const Request& request);

enum class Piece { kMore, kEnd, kFailed };
// Asks a response for its next piece; an exception is logged.
Piece ask_for_piece(const Response& response, std::string& piece);

}  // namespace schedlens::http
