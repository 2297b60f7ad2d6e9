/* A record of every call, for who wants to look at it: openaclnn sanitize and openaclnn trace do.

   OPENACLNN_RECORD names a file, which is mapped into memory: each call adds what it was given before
   it is made, and what it gave when it is done; nothing is judged here. Processes and threads share
   the file: whoever adds something takes as many bytes as it needs, writes them, and its kind last.
   What is in the file when a program crashes or is killed can still be read. sanitize/records.py reads
   it, and knows these structures.

   OPENACLNN_SANITIZE alone starts the reader as well: watcher.c. */
#include "internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

enum RecordKind {
    START = 1, FORKED, EXIT, CALL, PHASE_1, PHASE_2, END, STACK, FRAME, OPERATOR, WORK, PYTHON_STACK,
    DAMAGE, REASON, SPAN, ARGUMENTS
};
enum { DEEPEST = 24, KNOWN = 1 << 12, PIECES = 16, FUNCTIONS_KEPT = 32, STACKS_KEPT = 4, FIRST = 4096, STEP = 4 << 20 };
static const size_t ARRAY_AT_MOST = 1 << 20; /* bytes; no tensor has that many dimensions */
static const uint64_t FILE_AT_MOST = (uint64_t)1 << 36, FILE_AT_LEAST = 1 << 24;

/* At the beginning of the file; the records begin at FIRST. */
struct Shared {
    uint64_t used;      /* bytes of records */
    uint64_t allocated; /* bytes of the file that are there for sure */
    uint64_t lost;      /* whether some process could not record all of its calls */
    uint64_t ended;     /* a process that waits for its verdict, and may have recorded no end */
    uint64_t interface; /* what the records mean depends on it; all bits where processes differ */
};
struct Header {
    uint32_t size; /* of the whole record; the next one begins at a multiple of 8 */
    uint16_t kind, function;
    uint32_t process, thread;
    uint64_t time; /* nanoseconds */
    uint64_t number; /* of the call, in its process */
    uint64_t stack;
};
/* A stack of a thread that was walked: where each address to return to lies, and what it is. */
struct Walked {
    uint64_t number;
    const void *frame; /* of who walks */
    int count;
    bool may_be_kept;
    uint64_t addresses[DEEPEST];
    const uint64_t *places[DEEPEST];
};

bool recording;
static bool stacks, arguments_too;
static int file = -1;
static struct Shared *shared; /* the file */
static uint64_t most;         /* bytes that it may have */
static uint64_t latest;
static uint32_t process;
static pthread_key_t walked_key;
static __thread uint32_t thread;
static __thread uint64_t current; /* the number of the thread's call */
static __thread struct Walked *walked;
static __thread unsigned turn; /* whose place in it goes to the next one */
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

/* See that the disk has room up to there; where nobody can tell, the file grows as it is written. */
static bool grow(uint64_t end)
{
    if (watcher_is_gone()) /* nobody reads it, and nobody gives it back to the disk */
        return false;
    uint64_t there = __atomic_load_n(&shared->allocated, __ATOMIC_RELAXED);
    while (there < end) {
        uint64_t step = most - there < STEP ? most - there : STEP; /* beyond that is a signal */
        if (fallocate(file, 0, (off_t)there, (off_t)step) && (errno == ENOSPC || errno == EDQUOT))
            return false;
        __atomic_compare_exchange_n(&shared->allocated, &there, there + step, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        there = __atomic_load_n(&shared->allocated, __ATOMIC_RELAXED);
    }
    return true;
}

static void append(const struct Header *begin, const struct Piece *pieces, int count)
{
    size_t size = sizeof *begin;
    for (int i = 0; i < count; i++)
        size += pieces[i].size;
    uint64_t taken = (size + 7) / 8 * 8;
    uint64_t at = __atomic_fetch_add(&shared->used, taken, __ATOMIC_RELAXED);
    uint64_t end = FIRST + at + taken;
    if (end > most ||
        (end > __atomic_load_n(&shared->allocated, __ATOMIC_RELAXED) && !grow(end))) {
        __atomic_store_n(&shared->lost, 1, __ATOMIC_RELAXED);
        if (__atomic_exchange_n(&recording, false, __ATOMIC_RELAXED))
            fprintf(stderr, "openaclnn: there is no more room for the record of calls; what follows "
                            "is not seen\n");
        return;
    }
    struct Header *record = (struct Header *)((char *)shared + FIRST + at);
    __atomic_store_n(&record->size, (uint32_t)size, __ATOMIC_RELAXED);
    record->function = begin->function;
    memcpy(&record->process, &begin->process, sizeof *begin - offsetof(struct Header, process));
    char *next = (char *)(record + 1);
    for (int i = 0; i < count; i++) {
        if (pieces[i].size)
            memcpy(next, pieces[i].data, pieces[i].size);
        next += pieces[i].size;
    }
    __atomic_store_n(&record->kind, begin->kind, __ATOMIC_RELEASE);
}

static bool is_known(uint64_t *table, uint64_t key)
{
    uint64_t *place = &table[(key ^ key >> 20) % KNOWN];
    return __atomic_exchange_n(place, key, __ATOMIC_RELAXED) == key;
}

static void describe_frame(uint64_t address)
{
    Dl_info found = {0};
    if (is_known(known_frames, address) || !dladdr((void *)address, &found))
        return;
    const uint64_t numbers[] = {address, (uint64_t)found.dli_fbase};
    const char *module = found.dli_fname ? found.dli_fname : "";
    const char *name = found.dli_sname ? found.dli_sname : "";
    struct Header frame = header(FRAME, 0, 0);
    append(&frame, (struct Piece[]){{numbers, sizeof numbers}, {module, strlen(module) + 1},
                                    {name, strlen(name)}}, 3);
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
    struct Walked *stack = argument;
    uint64_t address = (uint64_t)_Unwind_GetIP(context);
    if (!address || stack->count == DEEPEST)
        return _URC_END_OF_STACK;
    const uint64_t *place = (const uint64_t *)_Unwind_GetCFA(context) - 1;
    stack->addresses[stack->count] = address;
    stack->places[stack->count] = place;
#ifdef __x86_64__ /* a call leaves it there */
    stack->may_be_kept = stack->may_be_kept && (!stack->count || *place == address);
#else
    stack->may_be_kept = false;
#endif
    stack->count++;
    return _URC_NO_REASON;
}

static void walk(struct Walked *stack)
{
    stack->count = 0;
    stack->may_be_kept = true;
    _Unwind_Backtrace(step, stack);
    stack->number = 14695981039346656037u;
    for (int i = 1; i < stack->count; i++) /* the first is here */
        stack->number = (stack->number ^ stack->addresses[i]) * 1099511628211u;
    if (is_known(known_stacks, stack->number))
        return;
    for (int i = 1; i < stack->count; i++)
        describe_frame(stack->addresses[i]);
    struct Header record = header(STACK, 0, 0);
    record.stack = stack->number;
    size_t size = stack->count > 1 ? (size_t)(stack->count - 1) * sizeof *stack->addresses : 0;
    append(&record, (struct Piece[]){{stack->addresses + 1, size}}, 1);
}

/* Whether the thread's stack is one that was walked before: all that it returns to is the same. */
static bool is_same(const struct Walked *stack, const void *frame)
{
    bool same = stack->may_be_kept && stack->frame == frame;
    for (int i = 1; same && i < stack->count; i++)
        same = *stack->places[i] == stack->addresses[i];
    return same;
}

static void forget_stacks(void *kept)
{
    walked = NULL;
    free(kept);
}

/* The number of the calling thread's stack; a new one is written. Those of one function are kept
   together. */
static __attribute__((noinline)) uint64_t stack_of_c(uint64_t function)
{
    const void *frame = __builtin_frame_address(0);
    if (!walked) {
        walked = calloc(FUNCTIONS_KEPT * STACKS_KEPT, sizeof *walked);
        if (!walked)
            return 0;
        pthread_setspecific(walked_key, walked);
    }
    struct Walked *kept = &walked[function % FUNCTIONS_KEPT * STACKS_KEPT];
    for (int i = 0; i < STACKS_KEPT; i++)
        if (is_same(&kept[i], frame))
            return kept[i].number;
    struct Walked *stack = &kept[turn++ % STACKS_KEPT];
    stack->frame = frame;
    walk(stack);
    return stack->number;
}

static void add_stack_of_python(uint64_t number, const char *text)
{
    struct Header record = header(PYTHON_STACK, 0, 0);
    record.stack = number;
    append(&record, (struct Piece[]){{text, strlen(text)}}, 1);
}

static struct Call begin(struct Header *call, uint64_t function, const struct Piece *pieces, int count)
{
    uint64_t outer = current;
    if (stacks)
        call->stack = python_hosts() ? python_stack(add_stack_of_python) : stack_of_c(function);
    current = call->number;
    append(call, pieces, count);
    return (struct Call){.number = call->number, .outer = outer};
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
    return begin(&call, (uint64_t)function, pieces, 1 + 2 * array_count);
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
    times_end(call);
}

/* An operator's name, its signature, and which arguments it uses (1) and reads (2), once. */
static void describe_operator(struct Operator *op)
{
    char used[op->count];
    if (__atomic_exchange_n(&op->recorded, true, __ATOMIC_RELAXED))
        return;
    for (int i = 0; i < op->count; i++)
        used[i] = (char)('0' + op->parameters[i].used + op->parameters[i].read);
    struct Header record = header(OPERATOR, 0, 0);
    append(&record, (struct Piece[]){{&op, sizeof op}, {op->name, strlen(op->name) + 1},
                                     {op->signature, strlen(op->signature) + 1},
                                     {used, (size_t)op->count}}, 4);
}

struct Call record_first_phase(struct Operator *op, const union Argument *arguments)
{
    describe_operator(op);
    struct Header call = numbered(PHASE_1, 0);
    return begin(&call, (uint64_t)op / 64, (struct Piece[]){{&op, sizeof op},
                                         {arguments, (size_t)op->count * sizeof *arguments}}, 2);
}

void record_arguments(const struct Call *call, const struct Operator *op,
                      const union Argument *arguments)
{
    struct Bytes given = arguments_too ? arguments_of(op, arguments) : (struct Bytes){0};
    struct Header record = header(ARGUMENTS, 0, call->number);
    if (given.size)
        append(&record, (struct Piece[]){{given.items, given.size}}, 1);
    free(given.items);
}

struct Call record_second_phase(struct Operator *op, const void *workspace, uint64_t size,
                                const aclOpExecutor *executor, aclrtStream stream)
{
    describe_operator(op);
    const uint64_t values[] = {(uint64_t)op, (uint64_t)workspace, size, (uint64_t)executor,
                               (uint64_t)stream};
    struct Header header = numbered(PHASE_2, 0);
    struct Call call = begin(&header, (uint64_t)op / 64, (struct Piece[]){{values, sizeof values}}, 1);
    times_begin(&call, stream);
    return call;
}

uint64_t record_current(void)
{
    return recording ? current : 0;
}

uint64_t record_begun(void)
{
    return RECORDING ? now() : 0;
}

void record_times(uint64_t call, uint64_t begun, uint64_t done)
{
    struct Header work = header(WORK, 0, call);
    work.time = done;
    append(&work, (struct Piece[]){{&begun, sizeof begun}}, 1);
}

void record_work(uint64_t call, uint64_t begun)
{
    if (begun && call)
        record_times(call, begun, now());
}

void record_damage(const void *block, const void *place)
{
    const uint64_t values[] = {(uint64_t)block, (uint64_t)place};
    struct Header damage = header(DAMAGE, 0, current);
    append(&damage, (struct Piece[]){{values, sizeof values}}, 1);
}

void record_reason(const char *sentence)
{
    struct Header reason = header(REASON, 0, current);
    append(&reason, (struct Piece[]){{sentence, strlen(sentence)}}, 1);
}

void record_span(const char *name, uint64_t begun, uint64_t done)
{
    if (!begun || !RECORDING)
        return;
    struct Header span = header(SPAN, 0, current);
    const uint64_t times[] = {begun, done ? done : now()};
    append(&span, (struct Piece[]){{times, sizeof times}, {name, strlen(name)}}, 2);
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

/* See that the beginning of the file is there, and map it: who reads the file is told there that
   nothing else is. */
static void map_beginning(void)
{
    int reason = errno;
    if (file >= 0 && lseek(file, 0, SEEK_END) >= FIRST) {
        void *mapped = mmap(NULL, FIRST, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        shared = mapped == MAP_FAILED ? NULL : mapped;
    }
    if (shared)
        __atomic_store_n(&shared->lost, 1, __ATOMIC_RELAXED);
    errno = reason;
}

/* Map the file, which becomes as long as it may; most of it is not there until it is written. */
static bool map_file(const char *path)
{
    struct rlimit limit;
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && lseek(file, 0, SEEK_END) < FIRST && fallocate(file, 0, 0, FIRST) &&
        (errno == ENOSPC || errno == EDQUOT))
        return false; /* to write there would be a signal */
    most = FILE_AT_MOST;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < most)
        most = limit.rlim_cur;
    for (; file >= 0 && most >= FILE_AT_LEAST; most /= 2) {
        off_t size = lseek(file, 0, SEEK_END);
        if (size < (off_t)most && ftruncate(file, (off_t)most))
            continue;
        void *mapped = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
        if (mapped != MAP_FAILED) {
            shared = mapped;
            return true;
        }
    }
    return false;
}

static void tell_interface(void)
{
    uint64_t ours = strtoull(strrchr(INTERFACE, '-') + 1, NULL, 16), found = 0;
    if (!__atomic_compare_exchange_n(&shared->interface, &found, ours, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED) && found != ours)
        __atomic_store_n(&shared->interface, UINT64_MAX, __ATOMIC_RELAXED);
}

void record_start(void)
{
    const char *options = getenv("OPENACLNN_SANITIZE");
    if (!getenv("OPENACLNN_RECORD") && options && *options && strcmp(options, "0") != 0)
        watcher_start();
    const char *path = getenv("OPENACLNN_RECORD"), *deep = getenv("OPENACLNN_RECORD_STACKS");
    if (!path || !*path || pthread_key_create(&walked_key, forget_stacks))
        return;
    times_start();
    arguments_too = getenv("OPENACLNN_RECORD_TIMES") != NULL;
    stacks = !deep || strcmp(deep, "0") != 0;
    recording = map_file(path);
    if (recording) {
        tell_interface();
        note(START);
    } else {
        map_beginning();
        fprintf(stderr, "openaclnn: calls cannot be recorded in %s: %s\n", path, strerror(errno));
    }
}

bool record_await_verdict(void)
{
    if (shared)
        __atomic_store_n(&shared->ended, (uint64_t)getpid(), __ATOMIC_RELEASE);
    return shared != NULL;
}

__attribute__((destructor)) static void at_exit(void)
{
    if (recording) {
        blocks_visit(cpu_inspect);
        note(EXIT);
    }
    watcher_end();
}
