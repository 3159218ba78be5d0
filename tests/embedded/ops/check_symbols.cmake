# Checks what a libinfiniops exports and needs.
#
# In: LIBRARY, NM, READELF, SYMBOLS (a file: the Call symbols of upstream's CPU library), TORCH (the
# path of libtorch_cpu.so, empty where there is none).

cmake_minimum_required(VERSION 3.25)

foreach(which LIBRARY TORCH)
    set(exported_${which} "")
    if(${which})
        execute_process(
            COMMAND ${NM} -D --defined-only --format=posix ${${which}}
            OUTPUT_VARIABLE output
            COMMAND_ERROR_IS_FATAL ANY
        )
        string(REGEX MATCHALL "[^\n]+" lines "${output}")
        list(TRANSFORM lines REPLACE " .*" "" OUTPUT_VARIABLE exported_${which})
    endif()
endforeach()
set(exported ${exported_LIBRARY})

file(STRINGS ${SYMBOLS} expected)
list(LENGTH expected expected_count)
if(NOT expected_count EQUAL 13)
    message(
        FATAL_ERROR
        "${SYMBOLS} holds ${expected_count} symbols instead of 13"
    )
endif()
set(missing ${expected} infini_ops_extension _ZTIN6infini3ops5ErrorE)
list(REMOVE_ITEM missing ${exported})
if(missing)
    message(FATAL_ERROR "not exported: ${missing}")
endif()

set(foreign ${exported})
list(
    FILTER foreign
    EXCLUDE
    REGEX "^(_ZN6infini|_ZNK6infini|_ZT[VIS]N6infini|infini_ops_extension$)"
)
set(internal ${exported})
list(FILTER internal INCLUDE REGEX "6infini3ops3cpu")
if(foreign OR internal)
    message(
        FATAL_ERROR
        "exported, but not part of the interface: ${foreign} ${internal}"
    )
endif()

if(TORCH)
    foreach(symbol IN LISTS exported)
        if("${symbol}" IN_LIST exported_TORCH)
            message(FATAL_ERROR "${symbol} is exported by ${TORCH} as well")
        endif()
    endforeach()
    list(LENGTH exported_TORCH torch_count)
    if(torch_count LESS 10000)
        message(FATAL_ERROR "${TORCH} exports only ${torch_count} symbols")
    endif()
    message(STATUS "no name in common with the ${torch_count} of ${TORCH}")
endif()

execute_process(
    COMMAND ${READELF} -d ${LIBRARY}
    OUTPUT_VARIABLE output
    COMMAND_ERROR_IS_FATAL ANY
)
if(NOT output MATCHES "SONAME[^\n]*\\[libinfiniops\\.so\\]")
    message(FATAL_ERROR "SONAME is not libinfiniops.so:\n${output}")
endif()
if(NOT output MATCHES "NEEDED[^\n]*\\[libinfinirt\\.so\\]")
    message(FATAL_ERROR "libinfinirt.so is not needed:\n${output}")
endif()
string(REGEX MATCHALL "NEEDED[^\n]+" needed "${output}")
list(
    FILTER needed
    EXCLUDE
    REGEX
        "\\[(libinfinirt|libstdc\\+\\+|libgcc_s|libc|libm|libdl|ld-linux[^.]*|lib[atu]+b?san)\\.so"
)
if(needed)
    message(FATAL_ERROR "unexpected libraries: ${needed}")
endif()

# Of the runtime only what upstream's library has too: members of TensorView.
execute_process(
    COMMAND ${NM} -D --undefined-only --format=posix ${LIBRARY}
    OUTPUT_VARIABLE output
    COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "_Z[^ \n]*infini[^ \n]*" used "${output}")
list(FILTER used EXCLUDE REGEX "^_ZNK?6infini2rt10TensorView")
if(used)
    message(FATAL_ERROR "uses more of the runtime than TensorView: ${used}")
endif()
message(STATUS "all ${expected_count} symbols of upstream are exported")
