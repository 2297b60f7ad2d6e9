/* Types and error codes that the runtime and the operators share. */
#ifndef ACL_ACL_BASE_H
#define ACL_ACL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_types.h"
#include "acl/error_codes/ge_error_codes.h"
#include "acl/error_codes/rt_error_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int aclError;
typedef uint16_t aclFloat16;
typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef void *aclrtContext;

/* error codes */

/* functions */

#ifdef __cplusplus
}
#endif

#endif
