// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/command_line.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return schedlens::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
