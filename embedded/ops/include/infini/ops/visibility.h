// INFINI_API marks what the shared libraries export; everything else is hidden.
#pragma once

#ifndef INFINI_API
#if defined(__GNUC__)
#define INFINI_API __attribute__((visibility("default")))
#else
#define INFINI_API
#endif
#endif
