// INFINI_API marks what libinfinirt exports. Classes and enumerations carry it
// as well as functions: an instantiation of a template is exported only if all
// its arguments are.
#pragma once

#define INFINI_API __attribute__((visibility("default")))
