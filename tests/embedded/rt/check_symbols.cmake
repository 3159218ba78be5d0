# Checks what a libinfinirt exports and needs.
#
# In: LIBRARY, NM, READELF, SYMBOLS (a file: every symbol that upstream exports in its namespace).

cmake_minimum_required(VERSION 3.25)

execute_process(
    COMMAND ${NM} -D --defined-only --format=posix ${LIBRARY}
    OUTPUT_VARIABLE output
    COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "[^\n]+" lines "${output}")
list(TRANSFORM lines REPLACE " .*" "" OUTPUT_VARIABLE exported)

file(STRINGS ${SYMBOLS} expected)
list(LENGTH expected expected_count)
if(expected_count LESS 40)
    message(FATAL_ERROR "${SYMBOLS} holds only ${expected_count} symbols")
endif()
set(missing ${expected})
list(REMOVE_ITEM missing ${exported})
if(missing)
    message(FATAL_ERROR "not exported: ${missing}")
endif()
if(NOT "infini_rt_extension" IN_LIST exported)
    message(FATAL_ERROR "not exported: infini_rt_extension")
endif()

set(foreign ${exported})
list(
    FILTER foreign
    EXCLUDE
    REGEX "^(_ZN6infini|_ZNK6infini|_ZT[VIS]N6infini|infini_rt_extension$)"
)
set(internal ${exported})
list(FILTER internal INCLUDE REGEX "6infini2rt(4core|3cpu)")
if(foreign OR internal)
    message(
        FATAL_ERROR
        "exported, but not part of the interface: ${foreign} ${internal}"
    )
endif()

execute_process(
    COMMAND ${READELF} -d ${LIBRARY}
    OUTPUT_VARIABLE output
    COMMAND_ERROR_IS_FATAL ANY
)
if(NOT output MATCHES "SONAME[^\n]*\\[libinfinirt\\.so\\]")
    message(FATAL_ERROR "SONAME is not libinfinirt.so:\n${output}")
endif()
string(REGEX MATCHALL "NEEDED[^\n]+" needed "${output}")
list(
    FILTER needed
    EXCLUDE
    REGEX
        "\\[(libstdc\\+\\+|libgcc_s|libc|libm|ld-linux[^.]*|lib(a|t|ub)san)\\.so"
)
if(needed)
    message(FATAL_ERROR "unexpected libraries: ${needed}")
endif()
message(STATUS "all ${expected_count} symbols of upstream are exported")
