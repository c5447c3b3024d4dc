// SPDX-License-Identifier: Apache-2.0
#pragma once
// The API's description, made from the routes and the schemas.

#include <string>
#include <string_view>

namespace schedlens::api {

// OpenAPI 3.1.
std::string openapi_json(std::string_view version);

// The part of docs/api.md that lists the routes with their parameters and the fields of every
// document.
std::string api_markdown();

}  // namespace schedlens::api
