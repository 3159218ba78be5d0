# INFINI_PYTHON: the interpreter whose PyTorch and scipy-openblas32 are used.
#
# In this order: the variable itself, an active virtual environment, the
# project's own .venv, python3 on PATH.

if(NOT INFINI_PYTHON)
    set(_infini_environments "${PROJECT_SOURCE_DIR}/.venv/bin")
    if(NOT "$ENV{VIRTUAL_ENV}" STREQUAL "")
        list(PREPEND _infini_environments "$ENV{VIRTUAL_ENV}/bin")
    endif()
    find_program(
        INFINI_PYTHON
        NAMES python3 python
        HINTS ${_infini_environments}
        DOC "Python interpreter whose packages the build uses"
        REQUIRED
    )
endif()

# infini_query_python(<what>): runs tools/build_settings.py, which prints
# `set(...)` lines, and includes them in the caller's scope. `what` is torch or
# openblas. A failure ends the configuration with the tool's own message.
macro(infini_query_python what)
    set(_infini_settings "${PROJECT_BINARY_DIR}/settings/${what}.cmake")
    execute_process(
        COMMAND
            "${INFINI_PYTHON}" "${PROJECT_SOURCE_DIR}/tools/build_settings.py"
            "${what}" --cmake "${_infini_settings}"
        RESULT_VARIABLE _infini_result
        ERROR_VARIABLE _infini_error
    )
    if(NOT _infini_result EQUAL 0)
        # Indented lines are printed as they are; others would be wrapped, and
        # the command to copy with them.
        string(REPLACE "\n" "\n  " _infini_error "\n${_infini_error}")
        message(FATAL_ERROR "${_infini_error}")
    endif()
    include("${_infini_settings}")
endmacro()
