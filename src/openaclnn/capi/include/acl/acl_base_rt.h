/* Another place of acl/acl_base.h. */
#include "acl/acl_base.h"
