# Installs libinfinirt to a prefix of its own, then configures, builds and runs the consumer
# against it as a C++17 project.
#
# In: SOURCE, BINARY (folders), INSTALL_SCRIPT, GENERATOR, COMPILER

cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${BINARY})
foreach(component runtime development)
    execute_process(
        COMMAND
            ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${BINARY}/prefix
            -DCMAKE_INSTALL_COMPONENT=${component} -P ${INSTALL_SCRIPT}
        COMMAND_ERROR_IS_FATAL ANY
    )
    if(component STREQUAL "runtime")
        file(
            GLOB_RECURSE installed
            RELATIVE ${BINARY}/prefix
            ${BINARY}/prefix/*
        )
        if(NOT installed STREQUAL "lib/libinfinirt.so")
            message(FATAL_ERROR "the runtime component installs ${installed}")
        endif()
    endif()
endforeach()

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
