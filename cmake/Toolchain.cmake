# Compiler flags of every target; presets choose the build type and the sanitizer.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_BUILD_RPATH "$ORIGIN/../lib")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Werror=switch
                    -Werror=return-type -Wno-missing-designated-field-initializers
                    -fno-omit-frame-pointer)
add_link_options(-fuse-ld=lld -Wl,--as-needed)
if(DUCAT_WERROR)
  add_compile_options(-Werror)
endif()
if(DUCAT_SANITIZE)
  add_compile_options(-fsanitize=${DUCAT_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DUCAT_SANITIZE})
  add_compile_definitions(DUCAT_SANITIZED=1)
else()
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_compile_options(-D_FORTIFY_SOURCE=2 -fstack-protector-strong -flto=thin)
    # The cache lets a small change link again without optimising everything anew.
    add_link_options(-flto=thin -Wl,--thinlto-cache-dir=${CMAKE_BINARY_DIR}/lto-cache
                     -Wl,-z,relro,-z,now,-z,pack-relative-relocs)
  endif()
endif()
if(DUCAT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
