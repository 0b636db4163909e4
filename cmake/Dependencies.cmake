# Third-party libraries. Debian's packages, except the SQL engine: scripts/fetch_engine puts
# libduckdb.so and duckdb.h into build/engine, or DUCAT_DUCKDB_DIR names a folder that holds both.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)

find_path(TL_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)

function(ducat_library target file)
  find_library(${target}_PATH ${file} REQUIRED)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${target}_PATH})
endfunction()
ducat_library(openssl_crypto libcrypto.a)
ducat_library(openssl_ssl libssl.a)
ducat_library(seccomp_static libseccomp.a)
# Only its core: Debian's CMake package wants the web server of the exposer, too.
ducat_library(prometheus_core libprometheus-cpp-core.so)
ducat_library(xxhash_static libxxhash.a)
ducat_library(utf8proc_static libutf8proc.a)
ducat_library(zlib_static libz.a)
ducat_library(zstd_static libzstd.a)
set_property(TARGET openssl_crypto PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads ${CMAKE_DL_LIBS})

if(DEFINED ENV{DUCAT_DUCKDB_DIR} AND NOT "$ENV{DUCAT_DUCKDB_DIR}" STREQUAL "")
  set(DUCAT_DUCKDB_DIR "$ENV{DUCAT_DUCKDB_DIR}" CACHE PATH "Folder of libduckdb.so and duckdb.h" FORCE)
else()
  set(DUCAT_DUCKDB_DIR "${CMAKE_SOURCE_DIR}/build/engine" CACHE PATH "Folder of libduckdb.so and duckdb.h")
endif()
foreach(file libduckdb.so duckdb.h)
  if(NOT EXISTS ${DUCAT_DUCKDB_DIR}/${file})
    message(FATAL_ERROR "${DUCAT_DUCKDB_DIR}/${file} is missing: run scripts/fetch_engine, or set DUCAT_DUCKDB_DIR")
  endif()
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
file(COPY_FILE ${DUCAT_DUCKDB_DIR}/libduckdb.so ${CMAKE_BINARY_DIR}/lib/libduckdb.so ONLY_IF_DIFFERENT)
add_library(DUCKDB::duckdb SHARED IMPORTED)
set_target_properties(DUCKDB::duckdb PROPERTIES
  IMPORTED_LOCATION ${CMAKE_BINARY_DIR}/lib/libduckdb.so
  IMPORTED_NO_SONAME ON
  INTERFACE_INCLUDE_DIRECTORIES ${DUCAT_DUCKDB_DIR})

if(DUCAT_TESTS)
  find_package(GTest REQUIRED)
endif()
if(DUCAT_BENCH)
  find_package(benchmark REQUIRED)
endif()
