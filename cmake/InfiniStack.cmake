# infini::stack: the InfiniRT and InfiniOps that the extension is built against.
#
# Each of the two is embedded (built here) or external (an installed upstream
# library), independently of the other. External means that a prefix or
# directories are given, as CMake or environment variables:
#
#   INFINI_RT_PREFIX,  INFINI_RT_INCLUDE_DIRS,  INFINI_RT_LIBRARY_DIRS
#   INFINI_OPS_PREFIX, INFINI_OPS_INCLUDE_DIRS, INFINI_OPS_LIBRARY_DIRS
#   CUDA_INCLUDE_DIRS, CUDA_HOME, CUDA_PATH
#
# Lists are separated as PATH is. The CUDA variables serve an InfiniRT whose
# public headers include CUDA's.
#
# Note [Headers of an external stack]
# InfiniOps installs headers named config.h, device.h or hash.h in the root of
# its include folder. They are searched after everything else (-idirafter), so
# that they hide no header of PyTorch, Python or this project.
#
# Nothing of an external library is bundled or recorded but its name: it is
# linked with -L and -l, and the extension has no RUNPATH.
#
# Out: INFINI_RT_SOURCE, INFINI_OPS_SOURCE ("embedded" or "upstream"),
#      INFINI_STACK ("embedded", "upstream" or "mixed"), infini::stack

# _infini_read(<variable>): the CMake variable, otherwise the environment's,
# kept in the cache; as a list of existing folders.
function(_infini_read name)
    if(NOT DEFINED "${name}")
        set("${name}"
            "$ENV{${name}}"
            CACHE STRING
            "See cmake/InfiniStack.cmake"
        )
    endif()
    string(REPLACE ":" ";" directories "${${name}}")
    set(found "")
    foreach(directory IN LISTS directories)
        if(directory STREQUAL "")
            continue()
        endif()
        if(NOT IS_DIRECTORY "${directory}")
            message(
                FATAL_ERROR
                "${name} names '${directory}', which is not a folder."
            )
        endif()
        get_filename_component(directory "${directory}" ABSOLUTE)
        list(APPEND found "${directory}")
    endforeach()
    set("_${name}" "${found}" PARENT_SCOPE)
endfunction()

# _infini_locate(<RT|OPS> <header> <library>): decides whether that half is
# external and, if so, sets _INFINI_<half>_INCLUDE and _INFINI_<half>_LIBRARY
# (lists of folders), after checking that header and library are there.
function(_infini_locate half header library)
    _infini_read(INFINI_${half}_PREFIX)
    _infini_read(INFINI_${half}_INCLUDE_DIRS)
    _infini_read(INFINI_${half}_LIBRARY_DIRS)
    set(include "${_INFINI_${half}_INCLUDE_DIRS}")
    set(libraries "${_INFINI_${half}_LIBRARY_DIRS}")
    foreach(prefix IN LISTS _INFINI_${half}_PREFIX)
        list(APPEND include "${prefix}/include")
        list(APPEND libraries "${prefix}/lib" "${prefix}/lib64")
    endforeach()
    if(include STREQUAL "" AND libraries STREQUAL "")
        set(INFINI_${half}_SOURCE "embedded" PARENT_SCOPE)
        return()
    endif()
    find_path(directory "${header}" PATHS ${include} NO_DEFAULT_PATH NO_CACHE)
    if(NOT directory)
        message(
            FATAL_ERROR
            "<${header}> is in none of '${include}'. Set INFINI_${half}_PREFIX "
            "or INFINI_${half}_INCLUDE_DIRS to an installed library."
        )
    endif()
    find_library(file "${library}" PATHS ${libraries} NO_DEFAULT_PATH NO_CACHE)
    if(NOT file)
        message(
            FATAL_ERROR
            "lib${library} is in none of '${libraries}'. Set "
            "INFINI_${half}_PREFIX or INFINI_${half}_LIBRARY_DIRS to an "
            "installed library."
        )
    endif()
    get_filename_component(libraries "${file}" DIRECTORY)
    set(INFINI_${half}_SOURCE "upstream" PARENT_SCOPE)
    set(_INFINI_${half}_INCLUDE "${include}" PARENT_SCOPE)
    set(_INFINI_${half}_LIBRARY "${libraries}" PARENT_SCOPE)
endfunction()

# _infini_cuda_include(<out>): the folders with CUDA's headers that are known.
function(_infini_cuda_include out)
    _infini_read(CUDA_INCLUDE_DIRS)
    set(found "${_CUDA_INCLUDE_DIRS}")
    foreach(home IN ITEMS "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}")
        if(NOT home STREQUAL "" AND IS_DIRECTORY "${home}/include")
            list(APPEND found "${home}/include")
        endif()
    endforeach()
    set("${out}" "${found}" PARENT_SCOPE)
endfunction()

# _infini_import(<target> <library> <half>): an interface target with the name
# of the embedded one, so that what links that name need not know which it is.
function(_infini_import target library half)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    foreach(directory IN LISTS _INFINI_${half}_INCLUDE)
        # See Note [Headers of an external stack]
        target_compile_options(
            ${target}
            INTERFACE "SHELL:-idirafter \"${directory}\""
        )
    endforeach()
    target_link_directories(${target} INTERFACE ${_INFINI_${half}_LIBRARY})
    target_link_options(
        ${target}
        INTERFACE "LINKER:-rpath-link,${_INFINI_${half}_LIBRARY}"
    )
    target_link_libraries(${target} INTERFACE "-l${library}")
endfunction()

_infini_locate(RT infini/rt.h infinirt)
_infini_locate(OPS infini/ops.h infiniops)

if(INFINI_RT_SOURCE STREQUAL INFINI_OPS_SOURCE)
    set(INFINI_STACK "${INFINI_RT_SOURCE}")
else()
    set(INFINI_STACK "mixed")
endif()
message(STATUS "InfiniRT: ${INFINI_RT_SOURCE}, InfiniOps: ${INFINI_OPS_SOURCE}")

_infini_cuda_include(_infini_cuda)
if(INFINI_RT_SOURCE STREQUAL "upstream")
    list(APPEND _INFINI_RT_INCLUDE ${_infini_cuda})
    _infini_import(infinirt infinirt RT)
endif()
if(INFINI_OPS_SOURCE STREQUAL "upstream")
    _infini_import(infiniops infiniops OPS)
endif()

# Both libraries stay needed even where every reference to them is weak.
add_library(infini_stack INTERFACE)
add_library(infini::stack ALIAS infini_stack)
target_link_libraries(
    infini_stack
    INTERFACE -Wl,--no-as-needed infiniops infinirt -Wl,--as-needed
)
