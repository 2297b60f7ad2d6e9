/* The objects that operators work on: tensors, scalars, arrays, lists, and executors. */
#ifndef ACLNN_ACL_META_H
#define ACLNN_ACL_META_H

#include <stdlib.h>
#ifdef __cplusplus
#include <cstdlib>
#endif

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef struct aclOpExecutor aclOpExecutor;

typedef int32_t aclnnStatus;
static const aclnnStatus OK = 0;

/* functions */
#ifdef __cplusplus
}
#endif

#endif
