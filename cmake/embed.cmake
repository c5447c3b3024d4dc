# SPDX-License-Identifier: Apache-2.0
# Writes a source file that holds the rule files of a folder:
#   cmake -DOUT=stock_files.cc -DFOLDER=deploy/alerts -P embed.cmake
file(GLOB paths ${FOLDER}/*.yaml)
list(SORT paths)
set(text "// Made of ${FOLDER} by cmake/embed.cmake.\n#include \"alert/rule_set.h\"\n\n")
string(APPEND text "namespace schedlens::alert {\n\n")
string(APPEND text "const std::vector<RuleText>& stock_rules() {\n")
string(APPEND text "  static const std::vector<RuleText> kFiles = {\n")
foreach(path ${paths})
  get_filename_component(name ${path} NAME)
  file(READ ${path} content)
  string(APPEND text "      {\"deploy/alerts/${name}\", R\"=====(${content})=====\"},\n")
endforeach()
string(APPEND text "  };\n  return kFiles;\n}\n\n}  // namespace schedlens::alert\n")
file(WRITE ${OUT} "${text}")
