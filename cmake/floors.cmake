# SPDX-License-Identifier: Apache-2.0
# One folder under src/ is one static library, one namespace and one unit test program.

# schedlens_folder(NAME [DEPENDS folder...] [LINKS library...])
#   DEPENDS names folders of a lower floor; tools/check_layers holds the includes to the same list.
function(schedlens_folder name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${name}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")

  if(sources)
    add_library(${name} STATIC ${sources})
    set(kind PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_include_directories(${name} ${kind} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} ${kind} ${ARG_DEPENDS} ${ARG_LINKS})

  if(SCHEDLENS_TESTS AND tests)
    find_package(GTest REQUIRED)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${name} GTest::gmock GTest::gtest GTest::gtest_main)
    target_compile_definitions(${name}_test PRIVATE
      SCHEDLENS_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures")
    add_test(NAME ${name} COMMAND ${name}_test)
    set(threads "")
    if(name MATCHES "^(os|net|http|slurm|kube|memory|remote|alert|api|cli)$")
      set(threads ";threads")
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "fast;unit${threads}" TIMEOUT 300)
    add_dependencies(unit_tests ${name}_test)
  endif()
endfunction()
