#define INFINI_TARGET baseline
#define INFINI_TARGET_NAME "baseline"
#include "kernels_body.h"
