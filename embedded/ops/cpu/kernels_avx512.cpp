#define INFINI_TARGET avx512
#define INFINI_TARGET_NAME "avx512"
#include "kernels_body.h"
