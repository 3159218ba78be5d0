# opgen_generate(<target> COMMAND <subcommand> <flag>... [OUTPUTS <file>...]
#                [DEPENDS <file or target>...])
#
# Adds the custom target <target>, which runs `opgen <subcommand> <flag>...`
# when one of the files that it reads has changed. Flags name files and folders
# by absolute paths, or relative to the current binary folder. Files whose text
# does not change keep their times, so that nothing is compiled again for them.
#
# OUTPUTS   what the run writes and the project uses. By default the installed
#           program is asked, when the project is configured and again whenever
#           one of the inputs changes; it must be there then.
# DEPENDS   more that the run depends on, for example what makes its inputs.
#
# Whoever uses the files depends on the target:
#
#   opgen_generate(generated COMMAND unboxing -s ${aten} -d ${out})
#   add_library(unboxing ${generated_SOURCES})
#   add_dependencies(unboxing generated)
#
# Sets, in the caller's scope, <target>_OUTPUTS to the absolute paths of all
# outputs, and <target>_SOURCES to those of them that end with .cpp and are no
# *Everything.cpp, which repeats what the shards hold.
function(opgen_generate target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;OUTPUTS;DEPENDS")
    if(NOT arg_COMMAND OR arg_UNPARSED_ARGUMENTS)
        message(
            FATAL_ERROR
            "usage: opgen_generate(<target> COMMAND <subcommand> <flag>... "
            "[OUTPUTS <file>...] [DEPENDS <file or target>...])"
        )
    endif()
    set(base "${CMAKE_CURRENT_BINARY_DIR}")
    if(NOT arg_OUTPUTS)
        _opgen_ask("${arg_COMMAND}" arg_OUTPUTS inputs)
        set_property(
            DIRECTORY
            APPEND
            PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs}
        )
    endif()
    set(outputs)
    foreach(output IN LISTS arg_OUTPUTS)
        cmake_path(ABSOLUTE_PATH output BASE_DIRECTORY "${base}" NORMALIZE)
        list(APPEND outputs "${output}")
    endforeach()
    set(stamp "${base}/${target}.opgen-stamp")
    add_custom_command(
        OUTPUT "${stamp}"
        BYPRODUCTS ${outputs}
        COMMAND
            opgen::opgen ${arg_COMMAND} --depfile "${stamp}.d" --depfile-target
            "${stamp}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
        DEPFILE "${stamp}.d"
        DEPENDS opgen::opgen ${arg_DEPENDS}
        WORKING_DIRECTORY "${base}"
        COMMENT "opgen: ${target}"
        VERBATIM
    )
    add_custom_target(${target} DEPENDS "${stamp}")
    set(sources ${outputs})
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "Everything\\.cpp$")
    set(${target}_OUTPUTS "${outputs}" PARENT_SCOPE)
    set(${target}_SOURCES "${sources}" PARENT_SCOPE)
endfunction()

# What a run would write and read.
function(_opgen_ask command outputs_variable inputs_variable)
    get_target_property(imported opgen::opgen IMPORTED)
    if(NOT imported)
        message(
            FATAL_ERROR
            "opgen is part of this build, so opgen_generate needs OUTPUTS."
        )
    endif()
    get_target_property(program opgen::opgen LOCATION)
    execute_process(
        COMMAND "${program}" ${command} --list
        WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
        OUTPUT_VARIABLE listed
        ERROR_VARIABLE problem
        RESULT_VARIABLE status
    )
    if(NOT status EQUAL 0)
        # As it is: an error's text would be broken into other lines.
        message(NOTICE "${problem}")
        message(FATAL_ERROR "opgen could not say what it would write.")
    endif()
    string(REPLACE ";" "\\;" listed "${listed}")
    string(REGEX REPLACE "\n$" "" listed "${listed}")
    string(REPLACE "\n" ";" listed "${listed}")
    foreach(kind IN ITEMS input output)
        set(paths ${listed})
        list(FILTER paths INCLUDE REGEX "^${kind} ")
        list(TRANSFORM paths REPLACE "^${kind} " "")
        set(${${kind}s_variable} "${paths}" PARENT_SCOPE)
    endforeach()
endfunction()
