/* A record of every call, for who wants to look at it: openaclnn sanitize and openaclnn trace do.

   OPENACLNN_RECORD names a file. Each call appends what it was given before it is made, and what it
   gave when it is done; nothing is judged here. What is in the file when a program crashes or is
   killed can still be read. capi/records.py reads it, and knows these structures.

   OPENACLNN_SANITIZE alone starts the reader as well: watcher.c. */
#include "internal.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <execinfo.h>
#else
#define backtrace(addresses, most) 0 /* no stacks of C there */
#endif

enum RecordKind { START = 1, FORKED, EXIT, CALL, PHASE_1, PHASE_2, END, STACK, FRAME, OPERATOR, WORK };
enum { DEEPEST = 24, KNOWN = 1 << 12, PIECES = 16 };
static const size_t ARRAY_AT_MOST = 1 << 20; /* bytes; no tensor has that many dimensions */

struct Header {
    uint32_t size; /* of the whole record */
    uint16_t kind, function;
    uint32_t process, thread;
    uint64_t time; /* nanoseconds */
    uint64_t number; /* of the call, in its process */
    uint64_t stack;
};

bool recording;
static bool stacks;
static int file = -1;
static uint64_t latest;
static uint32_t process;
static __thread uint32_t thread;
static __thread uint64_t current; /* the number of the thread's call */
/* What was written already; a place holds what came last, so something may be written twice. */
static uint64_t known_stacks[KNOWN], known_frames[KNOWN];

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct Header header(enum RecordKind kind, int function, uint64_t number)
{
    if (!thread)
        thread = (uint32_t)syscall(SYS_gettid);
    return (struct Header){.kind = kind, .function = (uint16_t)function, .thread = thread,
                           .process = process, .time = now(), .number = number};
}

static void append(struct Header *header, const struct Piece *pieces, int count)
{
    struct iovec parts[PIECES] = {{header, sizeof *header}};
    header->size = sizeof *header;
    for (int i = 0; i < count; i++) {
        parts[i + 1] = (struct iovec){(void *)pieces[i].data, pieces[i].size};
        header->size += (uint32_t)pieces[i].size;
    }
    if (writev(file, parts, count + 1) < 0)
        recording = false; /* a full disk */
}

static bool is_known(uint64_t *table, uint64_t key)
{
    uint64_t *place = &table[(key ^ key >> 20) % KNOWN];
    return __atomic_exchange_n(place, key, __ATOMIC_RELAXED) == key;
}

static void describe_frame(void *address)
{
    Dl_info found = {0};
    if (is_known(known_frames, (uint64_t)address) || !dladdr(address, &found))
        return;
    const uint64_t numbers[] = {(uint64_t)address, (uint64_t)found.dli_fbase};
    const char *module = found.dli_fname ? found.dli_fname : "";
    const char *name = found.dli_sname ? found.dli_sname : "";
    struct Header frame = header(FRAME, 0, 0);
    append(&frame, (struct Piece[]){{numbers, sizeof numbers}, {module, strlen(module) + 1},
                                    {name, strlen(name)}}, 3);
}

/* The number of the calling thread's stack; a new one is written. */
static uint64_t stack_of_c(void)
{
    void *addresses[DEEPEST];
    int count = backtrace(addresses, DEEPEST);
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < count; i++)
        hash = (hash ^ (uint64_t)addresses[i]) * 1099511628211u;
    if (!is_known(known_stacks, hash)) {
        for (int i = 0; i < count; i++)
            describe_frame(addresses[i]);
        struct Header stack = header(STACK, 0, 0);
        stack.stack = hash;
        append(&stack, (struct Piece[]){{addresses, count * sizeof *addresses}}, 1);
    }
    return hash;
}

static struct Call begin(struct Header *call, const struct Piece *pieces, int count)
{
    uint64_t outer = current;
    if (stacks)
        call->stack = python_hosts() ? python_stack(file) : stack_of_c();
    current = call->number;
    append(call, pieces, count);
    return (struct Call){call->number, outer};
}

static struct Header numbered(enum RecordKind kind, int function)
{
    return header(kind, function, __atomic_add_fetch(&latest, 1, __ATOMIC_RELAXED));
}

struct Call record_call(int function, const uint64_t *values, int count, const struct Piece *arrays,
                        int array_count)
{
    struct Header call = numbered(CALL, function);
    struct Piece pieces[PIECES] = {{values, count * sizeof *values}};
    uint64_t sizes[PIECES];
    for (int i = 0; i < array_count; i++) {
        sizes[i] = arrays[i].data && arrays[i].size <= ARRAY_AT_MOST ? arrays[i].size : 0;
        pieces[1 + 2 * i] = (struct Piece){&sizes[i], sizeof sizes[i]};
        pieces[2 + 2 * i] = (struct Piece){arrays[i].data, sizes[i]};
    }
    return begin(&call, pieces, 1 + 2 * array_count);
}

void record_end(const struct Call *call, uint64_t result, const struct Piece *outs, int count)
{
    uint64_t values[PIECES] = {result};
    for (int i = 0; i < count; i++)
        if (outs[i].data)
            memcpy(&values[1 + i], outs[i].data, outs[i].size < 8 ? outs[i].size : 8);
    struct Header end = header(END, 0, call->number);
    current = call->outer;
    append(&end, (struct Piece[]){{values, (size_t)(1 + count) * sizeof *values}}, 1);
}

/* An operator's name, its signature, and which arguments it uses, once. */
static void describe_operator(struct Operator *op)
{
    char used[op->count];
    if (__atomic_exchange_n(&op->recorded, true, __ATOMIC_RELAXED))
        return;
    for (int i = 0; i < op->count; i++)
        used[i] = op->parameters[i].used ? '1' : '0';
    struct Header record = header(OPERATOR, 0, 0);
    append(&record, (struct Piece[]){{&op, sizeof op}, {op->name, strlen(op->name) + 1},
                                     {op->signature, strlen(op->signature) + 1},
                                     {used, (size_t)op->count}}, 4);
}

struct Call record_first_phase(struct Operator *op, const union Argument *arguments)
{
    describe_operator(op);
    struct Header call = numbered(PHASE_1, 0);
    return begin(&call, (struct Piece[]){{&op, sizeof op},
                                         {arguments, (size_t)op->count * sizeof *arguments}}, 2);
}

struct Call record_second_phase(struct Operator *op, const void *workspace, uint64_t size,
                                const aclOpExecutor *executor, aclrtStream stream)
{
    describe_operator(op);
    const uint64_t values[] = {(uint64_t)op, (uint64_t)workspace, size, (uint64_t)executor,
                               (uint64_t)stream};
    struct Header call = numbered(PHASE_2, 0);
    return begin(&call, (struct Piece[]){{values, sizeof values}}, 1);
}

uint64_t record_current(void)
{
    return recording ? current : 0;
}

uint64_t record_begun(void)
{
    return RECORDING ? now() : 0;
}

void record_work(uint64_t call, uint64_t begun)
{
    if (!begun || !call)
        return;
    struct Header work = header(WORK, 0, call);
    append(&work, (struct Piece[]){{&begun, sizeof begun}}, 1);
}

static void note(enum RecordKind kind)
{
    uint64_t parent = (uint64_t)getppid();
    process = (uint32_t)getpid();
    struct Header record = header(kind, 0, 0);
    append(&record, (struct Piece[]){{&parent, sizeof parent}}, 1);
}

void record_in_child(void)
{
    thread = 0;
    if (recording)
        note(FORKED);
}

void record_start(void)
{
    if (!getenv("OPENACLNN_RECORD") && getenv("OPENACLNN_SANITIZE"))
        watcher_start();
    const char *path = getenv("OPENACLNN_RECORD"), *deep = getenv("OPENACLNN_RECORD_STACKS");
    if (!path || !*path)
        return;
    file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    recording = file >= 0;
    stacks = !deep || strcmp(deep, "0") != 0;
    if (recording)
        note(START);
}

__attribute__((destructor)) static void at_exit(void)
{
    if (recording) {
        note(EXIT);
        watcher_end();
    }
}
