// Random right calls in 8 threads, each with a stream of its own: "right CALLS SEED". Neighbours hand
// blocks on to each other: a stream waits for the event of the other one before it reads or writes.
#include "acl/acl.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_silu_backward.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

static const int THREADS = 8;
static const size_t ELEMENTS = 4096, BYTES = ELEMENTS * sizeof(float);
static std::atomic<long> calls, failures;

static void ok(int status)
{
    calls++;
    failures += status != 0;
}

static void *memory()
{
    void *made = nullptr;
    ok(aclrtMalloc(&made, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    ok(aclrtMemset(made, BYTES, 0, BYTES));
    return made;
}

struct Box {
    std::mutex lock;
    void *block;
    aclrtEvent written, read;
};
static Box boxes[THREADS];

class Worker {
public:
    Worker(int place, unsigned seed) : place(place), random(seed) {}

    void run(long most)
    {
        ok(aclrtSetDevice(0));
        ok(aclrtCreateStream(&stream));
        for (int i = 0; i < 3; i++)
            blocks.push_back(memory());
        while (calls < most)
            step();
        ok(aclrtSynchronizeStream(stream));
        for (void *block : blocks)
            ok(aclrtFree(block));
        ok(aclrtDestroyStream(stream));
    }

private:
    size_t below(size_t most) { return random() % most; }

    aclTensor *tensor(size_t block, int64_t offset, int64_t count)
    {
        calls++;
        return aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, offset, ACL_FORMAT_ND, &count, 1,
                               blocks[block]);
    }

    void step()
    {
        switch (below(9)) {
        case 0: return run_silu();
        case 1: return run_leaky();
        case 2: return run_cat();
        case 3: return send();
        case 4: return receive();
        case 5: return copy_later();
        case 6: return copy_now();
        case 7: return renew();
        default: ok(aclrtMemsetAsync(blocks[below(3)], BYTES, 1, 1 + below(BYTES), stream));
        }
    }

    void run_silu()
    {
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        int64_t count = 1 + below(300);
        aclTensor *x = tensor(0, below(3000), count), *y = tensor(1, below(3000), count);
        aclTensor *z = tensor(2, below(3000), count);
        ok(aclnnSiluBackwardGetWorkspaceSize(x, y, z, &size, &executor));
        ok(aclnnSiluBackward(nullptr, 0, executor, stream));
        for (aclTensor *each : {x, y, z})
            ok(aclDestroyTensor(each));
    }

    void run_leaky() // onto its own input, one further: that takes a workspace
    {
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        int64_t count = 2 + below(300), offset = below(3000);
        float one = 1;
        aclTensor *x = tensor(0, below(3000), count), *y = tensor(1, offset, count);
        aclTensor *z = tensor(1, offset + 1, count);
        aclScalar *slope = aclCreateScalar(&one, ACL_FLOAT);
        void *workspace = nullptr;
        ok(aclnnLeakyReluBackwardGetWorkspaceSize(x, y, slope, false, z, &size, &executor));
        if (size)
            ok(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
        ok(aclnnLeakyReluBackward(workspace, size, executor, stream));
        ok(aclrtSynchronizeStream(stream));
        if (workspace)
            ok(aclrtFree(workspace));
        ok(aclDestroyScalar(slope));
        for (aclTensor *each : {x, y, z})
            ok(aclDestroyTensor(each));
    }

    void run_cat()
    {
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        int64_t count = 1 + below(300);
        aclTensor *members[] = {tensor(0, below(3000), count), tensor(1, below(3000), count)};
        aclTensor *z = tensor(2, below(3000), 2 * count);
        aclTensorList *list = aclCreateTensorList(members, 2);
        ok(aclnnCatGetWorkspaceSize(list, 0, z, &size, &executor));
        ok(aclnnCat(nullptr, 0, executor, stream));
        ok(aclDestroyTensorList(list));
        ok(aclDestroyTensor(z));
    }

    void send()
    {
        Box &box = boxes[place];
        std::lock_guard<std::mutex> held(box.lock);
        ok(aclrtStreamWaitEvent(stream, box.read));
        ok(aclrtMemcpyAsync(box.block, BYTES, blocks[2], BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
        ok(aclrtRecordEvent(box.written, stream));
    }

    void receive()
    {
        Box &box = boxes[(place + 1) % THREADS];
        std::lock_guard<std::mutex> held(box.lock);
        ok(aclrtStreamWaitEvent(stream, box.written));
        ok(aclrtMemcpyAsync(blocks[0], BYTES, box.block, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
        ok(aclrtRecordEvent(box.read, stream));
    }

    void copy_later()
    {
        size_t count = 1 + below(BYTES);
        ok(aclrtMemcpyAsync(blocks[below(3)], BYTES, host, count, ACL_MEMCPY_HOST_TO_DEVICE, stream));
        if (below(3) == 0) {
            aclrtEvent event = nullptr;
            ok(aclrtCreateEvent(&event));
            ok(aclrtRecordEvent(event, stream));
            ok(aclrtSynchronizeEvent(event));
            ok(aclrtDestroyEvent(event));
        }
    }

    void copy_now()
    {
        ok(aclrtSynchronizeStream(stream));
        ok(aclrtMemcpy(host, BYTES, blocks[below(3)], 1 + below(BYTES), ACL_MEMCPY_DEVICE_TO_HOST));
    }

    void renew()
    {
        size_t which = below(3);
        ok(aclrtSynchronizeStream(stream));
        ok(aclrtFree(blocks[which]));
        blocks[which] = memory();
    }

    int place;
    std::mt19937 random;
    aclrtStream stream = nullptr;
    std::vector<void *> blocks;
    float host[ELEMENTS] = {};
};

int main(int, char **arguments)
{
    long most = std::atol(arguments[1]);
    unsigned seed = (unsigned)std::atol(arguments[2]);
    std::vector<std::thread> threads;
    ok(aclInit(nullptr));
    ok(aclrtSetDevice(0));
    for (Box &box : boxes) {
        box.block = memory();
        ok(aclrtCreateEvent(&box.written));
        ok(aclrtCreateEvent(&box.read));
    }
    for (int i = 0; i < THREADS; i++)
        threads.emplace_back([=] { Worker(i, seed + i).run(most); });
    for (std::thread &thread : threads)
        thread.join();
    for (Box &box : boxes) {
        ok(aclrtFree(box.block));
        ok(aclrtDestroyEvent(box.written));
        ok(aclrtDestroyEvent(box.read));
    }
    ok(aclrtResetDevice(0));
    ok(aclFinalize());
    std::printf("%ld calls, %ld refused\n", calls.load(), failures.load());
    return failures != 0;
}
