// SPDX-License-Identifier: Apache-2.0
#pragma once
// A type, const for who writes a file and not for who reads one.

#include <concepts>
#include <type_traits>

namespace schedlens::model {

template <class T, class Plain>
concept Maybe = std::same_as<std::remove_const_t<T>, Plain>;

}  // namespace schedlens::model
