/* Operators that are only declared: calls answer, lookups by name find nothing. */
#include <dlfcn.h>

#include <cstdio>
#include <initializer_list>

#include "acl/acl.h"
#include "aclnnop/aclnn_recurrent_gated_delta_rule.h"

/* some programs declare what they need themselves */
extern "C" aclnnStatus aclnnGroupedMatmulV3(void *, uint64_t, aclOpExecutor *, aclrtStream);

static void tell(int status)
{
    const char *message = aclGetRecentErrMsg();
    std::printf("%d %s\n", status, message ? message : "");
}

int main()
{
    uint64_t size = 0;
    aclOpExecutor *executor = reinterpret_cast<aclOpExecutor *>(&size);
    tell(aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, nullptr,
                                                      nullptr, nullptr, nullptr, nullptr, nullptr, 1,
                                                      nullptr, &size, &executor));
    std::printf("%s\n", executor ? "an executor" : "no executor");
    tell(aclnnRecurrentGatedDeltaRule(nullptr, 0, executor, nullptr));
    tell(aclnnGroupedMatmulV3(nullptr, 0, nullptr, nullptr));
    void *library = dlopen("libopapi.so", RTLD_NOW);
    for (void *where : {library, RTLD_DEFAULT})
        for (const char *name : {"aclnnRelu", "aclnnRecurrentGatedDeltaRule",
                                 "aclnnRecurrentGatedDeltaRuleGetWorkspaceSize"})
            std::printf("%s: %s\n", name, dlsym(where, name) ? "found" : "missing");
    return 0;
}
