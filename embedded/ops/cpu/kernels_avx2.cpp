#define INFINI_TARGET avx2
#define INFINI_TARGET_NAME "avx2"
#include "kernels_body.h"
