// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command line: its commands and options, their help, and which function each one calls.

#include <iosfwd>
#include <string>
#include <vector>

namespace schedlens::cli {

// The words behind the program's name. The result is the exit code. Colour and width are those of
// the terminal when out is std::cout, otherwise the text is plain.
int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace schedlens::cli
