# thalweg_module(NAME DEPENDS module... LIBRARIES target...)
#
# One static library for each folder of src/thalweg, made of all its .cc files. DEPENDS names the modules it may
# include (tools/check_structure.py checks the includes against the same list); LIBRARIES are external ones.

# -fwrapv: integers wrap as Java's do; SQL arithmetic relies on it.
add_library(thalweg_options INTERFACE)
target_include_directories(thalweg_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(thalweg_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror -mavx2 -mbmi2
                       -fPIC -fwrapv -Wno-missing-field-initializers)
target_compile_definitions(thalweg_options INTERFACE FMT_SHARED)
if(THALWEG_SANITIZE)
  target_compile_options(thalweg_options INTERFACE -fsanitize=${THALWEG_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer -O1 -Wno-error)
  target_link_options(thalweg_options INTERFACE -fsanitize=${THALWEG_SANITIZE})
endif()
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
target_link_libraries(thalweg_options INTERFACE fmt::fmt Threads::Threads)

set(THALWEG_PRECOMPILED
    <algorithm> <atomic> <cstdint> <cstring> <functional> <map> <memory> <optional> <span> <string> <string_view>
    <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

function(thalweg_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_library(thalweg_${name} STATIC ${sources})
  target_link_libraries(thalweg_${name} PUBLIC thalweg_options ${ARG_LIBRARIES})
  foreach(module ${ARG_DEPENDS})
    if(TARGET thalweg_${module})
      target_link_libraries(thalweg_${name} PUBLIC thalweg_${module})
    endif()
  endforeach()
  if(name STREQUAL "common")
    target_precompile_headers(thalweg_common PRIVATE ${THALWEG_PRECOMPILED})
  else()
    target_precompile_headers(thalweg_${name} REUSE_FROM thalweg_common)
  endif()
endfunction()
