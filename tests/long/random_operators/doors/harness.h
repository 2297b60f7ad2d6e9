// What generated programs of drawn operators share: memory of the device, tensors, both phases.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

struct Block {
    void *device;
    size_t start, size;
};

static std::vector<char> memory;   // all tensors, one behind the other, on the host
static std::vector<Block> blocks;  // and where each is on the device
static aclrtStream stream;

static void check(const char *name, int status) {
    if (status != 0) {
        const char *why = aclGetRecentErrMsg();
        std::printf("%s: %d: %s\n", name, status, why ? why : "");
        std::exit(1);
    }
}

static void begin() {
    check("aclInit", aclInit(nullptr));
    check("aclrtSetDevice", aclrtSetDevice(0));
    check("aclrtCreateStream", aclrtCreateStream(&stream));
    std::ifstream file("before", std::ios::binary);
    memory.assign(std::istreambuf_iterator<char>(file), {});
}

static void *allocated(size_t size) {
    void *found = nullptr;
    if (size != 0) check("aclrtMalloc", aclrtMalloc(&found, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return found;
}

static void copy(void *to, const void *from, size_t size, aclrtMemcpyKind kind) {
    if (size != 0) check("aclrtMemcpy", aclrtMemcpy(to, size, from, size, kind));
}

static aclTensor *tensor(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t offset,
                         aclDataType type, size_t start, size_t size, int64_t itemsize) {
    blocks.push_back({allocated(size), start, size});
    void *device = blocks.back().device;
    copy(device, memory.data() + start, size, ACL_MEMCPY_HOST_TO_DEVICE);
    int64_t storage = static_cast<int64_t>(size) / itemsize;
    return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), offset, ACL_FORMAT_ND,
                           &storage, 1, device);
}

[[maybe_unused]] static aclTensorList *list(std::vector<aclTensor *> tensors) {
    return aclCreateTensorList(tensors.data(), tensors.size());
}

template <class T> aclScalar *scalar(T value) {
    return aclCreateScalar(&value, std::is_same<T, bool>::value      ? ACL_BOOL
                                   : std::is_same<T, int64_t>::value ? ACL_INT64
                                                                     : ACL_DOUBLE);
}

[[maybe_unused]] static aclIntArray *ints(std::vector<int64_t> values) {
    int64_t none = 0;
    return aclCreateIntArray(values.empty() ? &none : values.data(), values.size());
}

[[maybe_unused]] static aclFloatArray *floats(std::vector<float> values) {
    return aclCreateFloatArray(values.data(), values.size());
}

[[maybe_unused]] static aclBoolArray *bools(std::initializer_list<bool> values) {
    return aclCreateBoolArray(values.begin(), values.size());
}

struct Call {
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;

    void run(const char *name,
             aclnnStatus (*second)(void *, uint64_t, aclOpExecutor *, aclrtStream)) {
        void *workspace = allocated(size);
        check(name, second(workspace, size, executor, stream));
        check("aclrtSynchronizeStream", aclrtSynchronizeStream(stream));
        if (workspace != nullptr) check("aclrtFree", aclrtFree(workspace));
    }
};

static int end() {
    for (const Block &block : blocks) {
        copy(memory.data() + block.start, block.device, block.size, ACL_MEMCPY_DEVICE_TO_HOST);
    }
    std::ofstream("after", std::ios::binary).write(memory.data(), memory.size());
    check("aclrtDestroyStream", aclrtDestroyStream(stream));
    check("aclFinalize", aclFinalize());
    return 0;
}
