// Thread-local variables that every operator call reads.
#pragma once

// The initial-exec model saves a function call per access. Its space is limited
// in a library that is loaded at run time, so it is for a few words only, and
// for types without constructors.
#define INFINI_HOT_TLS thread_local __attribute__((tls_model("initial-exec")))
