# The compile and link settings shared by every target of the project.
#
# Invariant: nothing that is installed records a path of the build machine:
# macros that expand to a source path are mapped, release builds are stripped.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

# A cache shared by all clones: paths below the clone are hashed as relative.
find_program(INFINI_CCACHE ccache)
if(INFINI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}"
        -E
        env
        "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
        "${INFINI_CCACHE}"
    )
endif()
find_program(INFINI_MOLD mold)
if(INFINI_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Werror)
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
add_link_options(-Wl,--enable-new-dtags)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_link_options(-Wl,--strip-all)
endif()

if(INFINI_BUILD_SANITIZER STREQUAL "address")
    add_compile_options(
        -fsanitize=address,undefined
        -fno-omit-frame-pointer
        -fno-sanitize-recover=all
    )
    add_link_options(-fsanitize=address,undefined)
elseif(INFINI_BUILD_SANITIZER STREQUAL "fuzzer")
    # Clang only. What libFuzzer watches is in all code, its main() only in fuzz
    # targets; the standard library checks what it is called with. Clang warns of
    # what GCC's library calls deprecated and uses itself.
    add_compile_options(
        -fsanitize=address,undefined,fuzzer-no-link
        -fno-omit-frame-pointer
        -fno-sanitize-recover=all
        -Wno-deprecated-declarations
    )
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
    add_link_options(-fsanitize=address,undefined)
elseif(INFINI_BUILD_SANITIZER STREQUAL "thread")
    add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
    add_link_options(-fsanitize=thread)
elseif(NOT INFINI_BUILD_SANITIZER STREQUAL "")
    message(
        FATAL_ERROR
        "INFINI_BUILD_SANITIZER is '${INFINI_BUILD_SANITIZER}'; use 'address', "
        "'fuzzer' or 'thread', or leave it empty."
    )
endif()
