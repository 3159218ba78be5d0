# Installs libinfinirt and libinfiniops to a prefix of their own, then configures, builds and runs
# the consumer against it as a C++17 project.
#
# In: SOURCE, BINARY (folders), INSTALL_SCRIPTS (a list), GENERATOR, COMPILER

cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${BINARY})
foreach(component runtime development)
    foreach(script IN LISTS INSTALL_SCRIPTS)
        execute_process(
            COMMAND
                ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${BINARY}/prefix
                -DCMAKE_INSTALL_COMPONENT=${component} -P ${script}
            COMMAND_ERROR_IS_FATAL ANY
        )
    endforeach()
    if(component STREQUAL "runtime")
        file(
            GLOB_RECURSE installed
            RELATIVE ${BINARY}/prefix
            ${BINARY}/prefix/*
        )
        list(SORT installed)
        set(expected
            lib/libinfiniops.so
            lib/libinfinirt.so
            lib/libscipy_openblas.so
            lib/licenses/scipy-openblas32/LICENSE.txt
        )
        if(NOT installed STREQUAL expected)
            message(FATAL_ERROR "the runtime component installs ${installed}")
        endif()
    endif()
endforeach()

file(
    GLOB_RECURSE outside
    RELATIVE ${BINARY}/prefix/include
    ${BINARY}/prefix/include/*.h
)
list(FILTER outside EXCLUDE REGEX "^infini/")
if(outside)
    message(FATAL_ERROR "headers outside of infini/: ${outside}")
endif()
execute_process(
    COMMAND
        ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY}/build -G ${GENERATOR}
        -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${BINARY}/prefix
    COMMAND_ERROR_IS_FATAL ANY
)
execute_process(
    COMMAND ${CMAKE_COMMAND} --build ${BINARY}/build
    COMMAND_ERROR_IS_FATAL ANY
)
execute_process(COMMAND ${BINARY}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
