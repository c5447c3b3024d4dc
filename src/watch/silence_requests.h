// SPDX-License-Identifier: Apache-2.0
#pragma once
// How an operator silences alerts of a running server: by a file in its data directory. Whoever may
// write there may silence; over HTTP nothing can be changed.
//
// A request is DIR/requests/NAME.json; the server takes it, applies it and leaves NAME.answer.

#include <chrono>
#include <filesystem>
#include <string>

#include "alert/silence.h"
#include "base/result.h"

namespace schedlens::watch {

// Asks the server that runs on the directory, and waits for what it says: the id of the silence, or
// of the one that was removed. Fails with its refusal, or when none answers in time: the request is
// then taken back.
Result<std::string> request_silence(const std::filesystem::path& directory,
                                    const alert::Silence& silence,
                                    std::chrono::milliseconds timeout);
Result<std::string> request_removal(const std::filesystem::path& directory, const std::string& id,
                                    std::chrono::milliseconds timeout);

// Applies what is asked for, and answers. The server's side; returns how many were taken.
int take_requests(const std::filesystem::path& directory, alert::Silences& silences, Timestamp now);

}  // namespace schedlens::watch
