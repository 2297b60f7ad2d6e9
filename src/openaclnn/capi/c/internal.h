/* What the files of the library share. Each file is one idea:

     messages.c   the calling thread's latest error
     handles.c    which objects exist; what programs hold are tickets, never addresses
     blocks.c     which memory was allocated, and how much of it
     tensors.c    tensors and scalars          collections.c  arrays and lists
     numbers.c    float16, sizes of types
     device.c     init, devices, contexts      memory.c       allocation and copies
     copies.c     copies of many parts         buffers.c      data buffers
     info.c       what the device and the runtime are, and options of the system
     virtual.c    reserved addresses and what is mapped there
     stream.c     streams                      event.c        events
     model.c      work that is captured and executed again
     reports.c    callbacks and functions of the host in a stream
     cpu.c        the CPU as a device          cpu_virtual.c  its virtual memory
     cpu_stream.c its streams                  cpu_event.c    its events
     cpu_capture.c  what its streams do again
     forward.c    any other device: asks Python
     python_start.c  finds and starts Python   python_call.c  objects and calls
     operator.c   the two phases of every operator, and executors
     packing.c    the arguments of an operator as Python gets them
     prepared.c   calls that need not go to Python again
     recordings.c calls that differ from those in sizes, strides, numbers and addresses
     descriptors.c  tensors of single operators
     single_operator.c  operators by name      hccl.c         one process's collectives
     record.c     a record of every call       watcher.c      starts who reads it
     times.c      when devices did what         log.c          messages of programs
     refusals.c   refused calls, for who runs the program
     load.c       forks, output

   Only forward.c, operator.c, packing.c and those two ever touch Python, and only a program that
   needs them waits for it. (A record of a Python program's calls asks those two for its stack, a
   refused call for its line.)

   Locks, in the order in which they may be taken: starting Python, the GIL, devices, handles,
   blocks, reports, streams of the CPU.

   Generated: entries.c has one pair of functions per operator and the tables of types, declared.c
   the functions of operators that are only declared; runtime.c has what programs call of the
   runtime, and runtime.h the functions behind that, which are called run_ and the name; device.h has
   the table of a device, and forward_to_python.c that of FORWARDED. */
#ifndef OPENACLNN_INTERNAL_H
#define OPENACLNN_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library is built with hidden symbols: only what the public headers declare is exported. */
#pragma GCC visibility push(default)
#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "hccl/hccl.h"
#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#pragma GCC visibility pop

#include "device.h"
#include "runtime.h"

/* messages.c */

/* Remember why the calling function refuses, and return the code: "return FAIL(code, ...);" In the
   text, a function that does the work of an entry has the entry's name. */
#define FAIL(code, ...) fail(code, __func__, __VA_ARGS__)
int fail(int code, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for a text that already names its function. */
int fail_with(int code, const char *text);
/* The same for what aclGetRecentErrMsg gave another thread. */
int fail_again(int code, const char *message);
/* The answer to a question that is no error of the program's: the latest error stays what it was. */
int answer_none(int code, const char *function, const char *text);
/* An error that stderr has just been told of: nobody else tells it. */
int fail_told(int code, const char *function, const char *text);
/* An operator refuses: the latest error is no longer the runtime's. */
void last_error_forget(void);
/* Whether a code is an operator's status, not the runtime's. */
bool is_operators(int code);

/* handles.c */

enum Kind { /* the operators' objects, then the runtime's */
    TENSOR = 1, SCALAR, INT_ARRAY, FLOAT_ARRAY, BOOL_ARRAY, TENSOR_LIST, SCALAR_LIST,
    EXECUTOR, STREAM, EVENT, CONTEXT, PHYSICAL_MEMORY, DATA_BUFFER, MODEL, DESCRIPTOR, ATTRIBUTES, COMMUNICATOR
};
enum Fate { NEVER_LIVED, LIVES, DESTROYED, HAS_RUN, LONG_GONE };

void handles_lock(void);
void handles_unlock(void);
/* A handle for an object, which the registry takes over; null (the object freed) without memory. */
void *handle_new(enum Kind kind, void *object);
/* The object of a handle, or null. The caller holds the lock for as long as it uses the object. */
void *handle_find(enum Kind kind, const void *handle);
/* Give a living handle another object and return the old one, or null. The caller holds the lock. */
void *handle_replace(enum Kind kind, const void *handle, void *object);
/* End a handle and give its object back to the caller, or null where it does not live. */
void *handle_end(enum Kind kind, const void *handle, enum Fate fate);
enum Fate handle_fate(enum Kind kind, const void *handle);
/* Why a handle cannot be used: "is an aclTensor that was destroyed". */
const char *handle_trouble(enum Kind kind, const void *handle);
/* Refuse a handle that is null or dead. */
int fail_handle(enum Kind kind, const void *handle, const char *function, const char *argument);

/* blocks.c */

struct Block {
    char *start;
    size_t size;
    size_t margin;   /* so many bytes before and behind it are nobody else's */
    uint64_t number; /* no other block ever has it, from 1 on; REGISTERED is part of some */
    bool host, freed;
    bool registered; /* allocated by the program, and told to us */
    uint64_t reservation; /* that it is a part of, 0: of none; what is freed there is not mapped */
};
static const uint64_t REGISTERED = (uint64_t)1 << 63;
enum Where { NOT_OURS, INSIDE, BESIDE, FREED };
typedef void (*GiveBack)(const struct Block *block);

void blocks_lock(void);
void blocks_unlock(void);
bool block_add(void *start, size_t size, bool host, size_t margin);
/* Memory of the program that devices may use from now on; false where some of it is known. */
bool block_register(void *start, size_t size);
bool block_unregister(void *start);
/* End the block that begins here; false where there is none. One that rests is remembered, and
   its memory must be handed to block_rest. */
bool block_remove(void *start, bool host, bool rests);
/* Let a block rest that was removed; give back the memory of those that have rested long enough. */
void block_rest(void *start, GiveBack give_back);
/* Give back the memory of all that rest; false where none does. */
bool blocks_end_rest(GiveBack give_back);
/* Reserved addresses: nothing is mapped there yet. False without memory. */
bool block_reserve(void *start, size_t size);
/* Something is mapped there, or why it cannot be. Mappings that touch are one to who looks. */
const char *block_map(void *start, size_t size);
/* What was mapped from here on is no longer; how much that was, 0: nothing begins here. */
size_t block_unmap(void *start);
/* End a reservation in which nothing is mapped, or say why that cannot be. */
const char *block_release(void *start, size_t *size);
/* What lies at an address: the block in, beside or formerly in which it is. */
enum Where block_at(const void *address, struct Block *found);
/* Call a function with each block that lives. */
void blocks_visit(void (*visit)(const struct Block *));
/* The block that an address lies in. */
bool block_around(const void *address, struct Block *found);
/* How many blocks have been freed so far: as long as this stays, all blocks do. */
uint64_t block_frees(void);

/* tensors.c */

/* What we know about the memory at an address: where its block begins and ends. A start of 0 says
   that it is not ours; an end of 0 that it is there no more, and the start is how it ended. */
struct Memory {
    uint64_t start, end;
};
enum Ending { BY_FREE = 1, BY_UNMAP, BY_UNREGISTER }; /* capi/bridge.py has words for them */
/* The memory at an address that was given to us when it lay in this block, 0: in none; the block is
   looked up then. */
struct Memory memory_at(const void *address, uint64_t *block);
/* What Python gets to know of a tensor: these bytes as they are, then 2 * dims + storage_dims
   numbers: shape, strides, storage shape. */
struct Description {
    struct Memory memory;
    void *data;
    int32_t dtype, format;
    int64_t offset;
    uint64_t dims, storage_dims;
    int64_t numbers[];
};
struct Tensor {
    size_t size;    /* bytes of the description */
    uint64_t block; /* that the data lay in when the address was given, 0: in none of ours */
    uint64_t frees; /* when that was looked up */
    struct Description description;
};
/* Look again where a tensor lies, if that may have changed. The caller holds the handles' lock. */
void tensor_look(struct Tensor *tensor);
/* The bytes from a tensor's address to the end of its last element. */
/* Give a tensor other sizes, as many as it has; contiguous ones. The caller holds the handles' lock. */
void tensor_resize(struct Tensor *tensor, const int64_t *shape, uint64_t dims);
uint64_t tensor_reach(const struct Description *description);
/* A scalar's dtype and bytes, likewise. */
struct Scalar {
    size_t size;
    int32_t dtype;
    unsigned char value[16];
};

/* collections.c */

/* What an array or a list holds; null items and a count of 0 where it does not live. The caller
   holds the handles' lock for as long as it uses them. */
struct Items {
    const void *items; /* numbers; of a list, handles */
    uint64_t count;
    size_t bytes;
};
struct Items items_of(enum Kind kind, const void *handle);
/* The member of a list of tensors, which may be null. The caller holds the handles' lock. */
const void *tensor_of_list(const void *list, uint64_t index);

/* numbers.c and the generated tables */

extern const struct TypeSize { int code; size_t size; } TYPE_SIZES[];
extern const size_t TYPE_SIZES_COUNT;
/* A name that OPENACLNN_SOC may have and the chip that it means; the first is the default. */
extern const struct Chip { const char *chosen, *name; bool bf16; } CHIPS[]; /* null at the end */
/* The chip that OPENACLNN_SOC chooses. */
const struct Chip *chip_chosen(void);
/* What OPENACLNN_SOC is where no chip has that name, or null; and the names that there are. */
const char *chip_unknown(void);
extern const char CHIPS_EXPECTED[];

/* descriptors.c */

enum { DESCRIBED_DIMS = 32, PARAMETERS_AT_MOST = 32 };
struct Descriptor {
    int32_t dtype, format, storage_format;
    int count, storage_count;
    int64_t dims[DESCRIBED_DIMS];
    bool on_host;
    char *name; /* may be null */
};
bool descriptor_of(const aclTensorDesc *handle, struct Descriptor *copy, const char *function);
/* Give a descriptor the shape that a result has turned out to have. */
void descriptor_reshape(const aclTensorDesc *handle, int count, const int64_t *dims);

/* device.c */

enum { SYSTEM_OPTIONS = 3 }; /* how many an aclSysParamOpt can be */
struct Context {
    int32_t device;
    bool primary; /* made by aclrtSetDevice, ended by aclrtResetDevice */
    int64_t options[SYSTEM_OPTIONS]; /* each 0 until it is set */
};
extern const struct Device CPU, FORWARDED;

/* cpu_stream.c */

/* Work for a stream of the CPU that is not done at once. */
struct Task {
    struct Task *next;
    int (*run)(struct Task *task);
    void (*drop)(struct Task *task); /* at the end, whether or not it ran */
    uint64_t call; /* that asked for it, where calls are recorded */
};
/* Whether a stream has nothing to do, so that work can be done at once. */
bool cpu_stream_is_free(uint64_t stream);
/* Memory for a task of so many bytes that free() ends, or null and an error. */
void *cpu_task(size_t size, int (*run)(struct Task *));
/* Do a task behind what a stream has to do already, or keep it for whoever captures the stream; it
   is taken over. What is captured is done again and again. */
int cpu_submit(uint64_t stream, struct Task *task);
void cpu_streams_lock(void);
void cpu_streams_unlock(bool forked);

/* model.c */

/* Refuse what is done at once while a capture forbids it. */
int refuse_in_capture(const char *function);
/* Whether what is asked of a stream goes into a capture. */
bool capture_is_active(uint64_t stream);
/* A stream ends, and with it a capture that began there. */
void capture_forget(aclrtStream stream);

/* reports.c */

/* A stream ends: no thread works for it any more. */
void reports_forget(aclrtStream stream);
void reports_lock(void);
void reports_unlock(bool forked);

/* forward.c */

/* Ask openaclnn.runtime's device for `name` with some values; it answers so many values. */
int ask_python(const char *name, const uint64_t *values, int count, uint64_t *answers, int wanted);
/* Whether Python knows of a device besides the CPU. */
bool forwarded_device_exists(void);

void devices_lock(void);
void devices_unlock(void);
/* The device that OPENACLNN_DEVICE chooses, or null and *status. */
const struct Device *device_kind(int *status);
/* The same, made current for the calling thread's context; a thread without one is refused. */
const struct Device *device_ready(const char *function, aclrtContext *context, int *status);
/* The same, but no context is no error: what exists can be used and freed to the very end. */
const struct Device *device_for_existing(int *status);
/* The calling thread's context, or null. */
aclrtContext context_current(void);

/* memory.c */

/* Refuse a kind of copy that is none, and ranges that do not lie where the kind says. */
int check_places(const char *function, const void *to, size_t to_bytes, const void *from,
                 size_t from_bytes, int kind);

/* stream.c */

/* The device's own number of a stream (0: the default stream), or an error. */
int stream_number(aclrtStream stream, const char *function, uint64_t *number);
/* Let the next synchronisation of a stream answer an error. */
void stream_fail(aclrtStream stream, const char *text);
/* What that is, once: of a stream, or of any (ALL_STREAMS); 0 where nothing failed. */
#define ALL_STREAMS ((aclrtStream)-1)
int stream_failure(aclrtStream stream, const char *function);
/* The same; where it is none, nothing is said. */
bool stream_find(aclrtStream stream, uint64_t *number);

/* python_start.c and python_call.c */

typedef struct PythonObject PythonObject;
struct Entry;

/* Be inside Python: holding the GIL, in the default floating-point environment. */
struct Entry *python_enter(const char *function, int *status);
void python_leave(struct Entry *entry);
/* All of these need python_enter. References are owned by the caller unless said otherwise. */
PythonObject *python_integer(uint64_t value);
PythonObject *python_signed(int64_t value);
PythonObject *python_float(double value);
PythonObject *python_bool(bool value);
PythonObject *python_bytes(const void *data, size_t size);
PythonObject *python_text(const char *text);
PythonObject *python_none(void);
PythonObject *python_tuple(PythonObject **items, int count); /* takes the items over */
PythonObject *python_item(PythonObject *tuple, int index);   /* borrowed */
int64_t python_to_integer(PythonObject *object);
uint64_t python_to_unsigned(PythonObject *object);
const void *python_to_bytes(PythonObject *object);
PythonObject *python_keep(PythonObject *object);
void python_drop(PythonObject *object);
/* A function of openaclnn.capi.bridge (kept for ever), or null and *status. */
PythonObject *python_bridge(const char *function, const char *name, int *status);
/* Call with a tuple, which is taken over. The answer is a tuple (status, ...): where the status is
   not 0 the second item is the reason, which is remembered, and null is returned. */
PythonObject *python_call(const char *function, PythonObject *callee, PythonObject *arguments,
                          int *status);
/* Whether the program is a Python program, or has Python inside, and the calling thread runs it. */
bool python_hosts(void);
/* Whether the interpreter is our own: nobody else says anything to it. */
bool python_is_ours(void);
/* The number of the calling thread's stack of Python; a new one is handed over as a text. */
uint64_t python_stack(void (*add)(uint64_t number, const char *text));
/* Record what took long in Python; before a thread leaves it. */
void python_tell_spans(void);
/* Whether this thread is in Python already, and has the GIL. */
bool python_is_entered(void);
/* The line of the program's Python that has called, as "file.py:12"; false where nobody may look. */
bool python_line(char *line, size_t size);
/* Locks that must be free in a forked child. */
void python_before_fork(void);
void python_after_fork(bool child);

/* operators, as entries.c describes them */

/* How an argument travels to Python. The kinds of host values (spec/host.py) name these. */
enum Passing {
    PASS_TENSOR, PASS_TENSOR_LIST, PASS_SCALAR, PASS_INT_ARRAY, PASS_FLOAT_ARRAY, PASS_BOOL_ARRAY,
    PASS_SCALAR_LIST, PASS_TEXT, PASS_INTEGER, PASS_UNSIGNED, PASS_FLOAT, PASS_DOUBLE, PASS_BOOL
};
struct Parameter {
    const char *name;
    enum Passing passing;
    bool used, read; /* of tensors; used: read or written */
    bool out, changed; /* a tensor that is only written, one that is changed in place */
};
struct Operator {
    const char *name, *python_name;
    const char *signature; /* its parameters in C */
    const char *own_file;  /* of an operator that is the user's own, else null */
    const struct Parameter *parameters;
    int count;
    PythonObject *first_phase, *second_phase; /* fetched from the bridge when first needed */
    bool recorded; /* whether a record knows it */
    struct Prepared *latest; /* of its calls, see prepared.c; may be null */
    struct Recordings *recordings; /* see recordings.c; may be null */
};
union Argument {
    const void *pointer;
    int64_t integer;
    uint64_t natural;
    float number; /* not a double yet: a host that flushes subnormals would widen it to 0 */
    double wide;
    bool truth;
};

/* packing.c */

/* Where the memory of a tensor lies that an operator uses. */
struct Place {
    const void *data;
    uint64_t block; /* 0: in none of ours */
    uint64_t reach; /* bytes from data to the tensor's end */
    int argument;
    uint64_t member; /* its place in a list */
    const void *tensor;
};
struct Places {
    struct Place *items; /* the caller frees them */
    int count, room;
};
/* What Python gets for an operator's arguments, or null and *status; and where their memory lies. */
PythonObject *pack(const struct Operator *op, const union Argument *arguments, struct Places *places,
                   int *status);
/* What tells a call apart: the bytes of its arguments, in whole words. */
struct CallKey {
    size_t size;
    unsigned char bytes[2048];
};
/* The key of a call, and where its memory lies; false where it has none: a handle is dead, it is too
   long. The caller holds the handles' lock. */
bool key_of(const struct Operator *op, const union Argument *arguments, struct CallKey *key,
            struct Places *places);
/* A key is written and read argument by argument, a list as how many it has and then each of these: its
   bytes, or null where the argument is. False where there is no room for it. */
bool key_add(struct CallKey *key, const void *data, size_t size);
const void *key_next(const struct CallKey *key, size_t *at, size_t *size);
/* What a key has, of a call of any length, to be freed; nothing where a handle is dead. */
struct Bytes {
    unsigned char *items;
    size_t size;
};
struct Bytes arguments_of(const struct Operator *op, const union Argument *arguments);
/* What Python got for the arguments of a call, from its key. */
PythonObject *pack_again(const struct Operator *op, const struct CallKey *key);

/* prepared.c: for all of it the caller holds the handles' lock. */

struct Prepared;
/* How threads share a kernel's units, see `Shared` in engines/__init__.py; all 0: they do not. */
struct Sharing {
    void *of_units;
    int64_t units;
    void (*share)(void *of_units, void *block, int64_t units, int32_t threads);
    int64_t threads;
    void (*on_threads)(void *share, void *block, int64_t units, int32_t threads);
};
/* What a call runs: a kernel that takes a block of so many bytes. */
/* Two words in the workspace, the largest of a call's indices and -1 less the smallest, and what these
   may be. */
struct Limit {
    int64_t offset, low, high;
};
/* What a call runs: a kernel on a block. To some of the block's words the workspace's address is added,
   which has so many bytes. */
struct Work {
    void (*kernel)(void *block);
    struct Sharing sharing;
    uint64_t workspace;
    size_t size;
    int moved_count, limit_count;
    uint64_t block[512];
    uint64_t moved[64];
    struct Limit limits[8];
};
void work_run(struct Work *work, uint64_t workspace);
/* Whether the indices that it read were what they may be. */
bool work_within_limits(const struct Work *work, uint64_t workspace);
/* A forked child has no threads to share with. */
void work_in_child(void);
/* The call that was prepared for this key, or null; it stays until it is left. */
struct Prepared *prepared_find(struct Operator *op, const struct CallKey *key);
void prepared_leave(struct Prepared *prepared);
/* Remember what a call runs. */
void prepared_keep(struct Operator *op, const struct CallKey *key, const struct Work *work);
void prepared_work(const struct Prepared *prepared, struct Work *work);
uint64_t prepared_workspace(const struct Prepared *prepared);
struct Operator *prepared_for(const struct Prepared *prepared);
void prepared_key(const struct Prepared *prepared, struct CallKey *key);

/* recordings.c, likewise */

/* What Python tells of a call that needs it no more, see bridge.py: its kernel, the block that this
   takes, and what there is new in the tree of its recordings. */
struct Told {
    uint64_t kernel, block_bytes, tree_bytes; /* each 0: none */
    uint64_t workspace, moved_count, limit_count;
    uint64_t traced; /* a bit for every attribute of the operator that is an input of recordings */
    uint64_t tree, inputs; /* the tree's number, and how many inputs it has */
    uint64_t before, hole; /* its words before, and which of them leads to what is new */
    struct Sharing sharing;
    unsigned char bytes[]; /* the block, the numbers of moved words, limits, the tree's new words */
};
/* The work of a call that recordings answer; false: Python is to see to it. */
bool recordings_replay(const struct Operator *op, const struct CallKey *key, struct Work *work);
/* Remember the recording of a call that went well. */
void recordings_add(struct Operator *op, const struct CallKey *key, const struct Told *told);

/* Every operator, null at the end. */
extern struct Operator *const OPERATORS[];

/* log.c */

/* The aclnn function that the program has looked for in vain, as its log said, once; false where it
   said nothing. */
bool missing_function(char *name, size_t size);
/* Write a refused call to the log, and how often it was refused again. */
bool log_wants_refusals(void);
void log_refusal(int code, const char *sentence, const char *line);
void log_count(unsigned long more, const char *sentence);

/* refusals.c */

/* Tell who runs the program that a call was refused. */
void refusal_tell(int code, const char *sentence);
void refusals_in_child(void);

/* operator.c */

aclnnStatus first_phase(struct Operator *op, const union Argument *arguments,
                        uint64_t *workspace_size, aclOpExecutor **executor);
aclnnStatus second_phase(struct Operator *op, void *workspace, uint64_t workspace_size,
                         aclOpExecutor *executor, aclrtStream stream);
/* What every function of an operator answers that is only declared; there is no executor. */
aclnnStatus refuse_declared(const char *function, aclOpExecutor **executor);

/* record.c, times.c and watcher.c */

extern bool recording;
/* Whether calls are recorded; hardly ever, so that a call costs what it would cost without. */
#define RECORDING __builtin_expect(recording, 0)
struct Piece {
    const void *data;
    size_t size;
};
struct Call {
    uint64_t number, outer; /* outer: of the call that this one is made in */
    uint64_t stream, before; /* before: an event in that stream, 0: nobody asks for times */
};
/* A value's bytes as a number. */
#define BITS(value)                                                                                \
    ({                                                                                             \
        __typeof__(value) its_value = (value);                                                     \
        uint64_t its_bits = 0;                                                                     \
        __builtin_memcpy(&its_bits, &its_value, sizeof its_value);                                 \
        its_bits;                                                                                  \
    })
#define ARRAY_OF(items, count) {items, (size_t)(count) * sizeof *(items)}
/* A call of an entry begins: its arguments, and what those hold that are arrays. */
struct Call record_call(int function, const uint64_t *values, int count, const struct Piece *arrays,
                        int array_count);
struct Call record_first_phase(struct Operator *op, const union Argument *arguments);
/* Of a first phase that went well all that its arguments stand for, where that was asked for. */
void record_arguments(const struct Call *call, const struct Operator *op,
                      const union Argument *arguments);
struct Call record_second_phase(struct Operator *op, const void *workspace, uint64_t size,
                                const aclOpExecutor *executor, aclrtStream stream);
/* A call ends: its result, and where it stored others. */
void record_end(const struct Call *call, uint64_t result, const struct Piece *outs, int count);
/* The number of the call that the thread is in, 0: in none. */
uint64_t record_current(void);
/* When a stream begins with something, 0: nobody asks. */
uint64_t record_begun(void);
/* A stream has done what a call asked of it, since then. */
void record_work(uint64_t call, uint64_t begun);
/* The same, with both times. */
void record_times(uint64_t call, uint64_t begun, uint64_t done);
/* A call that asks a stream for something begins; a call ends. */
void times_start(void);
void times_begin(struct Call *call, aclrtStream stream);
void times_end(const struct Call *call);
/* Bytes beside a block of the CPU's were written over; the first of them. */
void record_damage(const void *block, const void *place);
/* What took long in the thread's call, but is none of its work; done 0: it is done now. */
void record_span(const char *name, uint64_t begun, uint64_t done);
/* Why the thread's call is refused. */
void record_reason(const char *sentence);
/* Whether they were; of a block that was allocated while calls were recorded. */
void cpu_inspect(const struct Block *block);
void record_start(void);
void record_in_child(void);
/* Start a process that reads the record, and end with what it says. */
/* Tell who reads the record that this process has no more calls; whether there is a way to. */
bool record_await_verdict(void);

void watcher_start(void);
void watcher_end(void);
/* Whether the process that was to read the record is there no more. */
bool watcher_is_gone(void);

#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

#endif
