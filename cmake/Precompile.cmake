# DUCAT_PRECOMPILE: half of the time of a build from nothing goes into reading the headers of the
# standard library, Asio and GoogleTest again for every file. CI reads them once. Off by default: the
# compiler cache, which serves everyday builds, cannot share precompiled headers between clones. The
# release preset never uses them, so a source that misses an #include fails there.
add_library(ducat_precompiled OBJECT ${CMAKE_CURRENT_LIST_DIR}/precompiled.cc)
target_precompile_headers(ducat_precompiled PRIVATE
  <algorithm> <array> <charconv> <chrono> <cstdint> <filesystem> <functional> <map> <memory>
  <optional> <set> <string> <string_view> <system_error> <utility> <vector>
  <tl/expected.hpp> <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp>)
target_link_libraries(ducat_precompiled PRIVATE Boost::headers)

add_library(ducat_precompiled_tests OBJECT ${CMAKE_CURRENT_LIST_DIR}/precompiled.cc)
get_target_property(headers ducat_precompiled PRECOMPILE_HEADERS)
target_precompile_headers(ducat_precompiled_tests PRIVATE ${headers} <gmock/gmock.h> <gtest/gtest.h>)
target_link_libraries(ducat_precompiled_tests PRIVATE Boost::headers GTest::gmock GTest::gtest)

# Every library and executable of `folder` and below takes the headers of its kind.
function(ducat_precompile folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      target_precompile_headers(${target} REUSE_FROM ducat_precompiled)
    elseif(type STREQUAL "EXECUTABLE")
      get_target_property(libraries ${target} LINK_LIBRARIES)
      if("ducat_testing" IN_LIST libraries)
        target_precompile_headers(${target} REUSE_FROM ducat_precompiled_tests)
      endif()
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder ${subfolders})
    ducat_precompile(${subfolder})
  endforeach()
endfunction()
