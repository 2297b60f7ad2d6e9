/* Collectives between processes (HCCL). There is one process: rank 0 of 1. */
#ifndef HCCL_HCCL_H
#define HCCL_HCCL_H

#include "acl/acl_base.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* functions */

#ifdef __cplusplus
}
#endif

#endif
