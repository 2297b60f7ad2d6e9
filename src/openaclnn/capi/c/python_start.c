/* Finds Python, starts it where nobody has, and goes in and out of it. The names
   PYTHON_… come from the build. Python is never finalised, so that calls from atexit and static
   destructors still work. */
#include "python.h"

#include <dlfcn.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Python py;

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static __thread bool starts_here; /* this thread has that lock, because it starts Python */
static enum { NOT_STARTED, READY, FAILED } stage;
static char reason[1024]; /* why it failed */

static pthread_key_t thread_key; /* runs `leave_for_good` when a thread of ours ends */
static __thread bool attached;   /* this thread has a thread state that stays */
static bool ended;               /* the Python that was there before us; another may have followed */

static void note_end(void)
{
    __atomic_store_n(&ended, true, __ATOMIC_RELEASE);
}

static bool has_ended(void)
{
    return __atomic_load_n(&ended, __ATOMIC_ACQUIRE) || !py.Py_IsInitialized();
}

/* LeakSanitizer, where the program is built with it: what a thread allocates in between is no leak
   of the program's. Python keeps much of it for ever. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

static void begin_keeping(void)
{
    if (__lsan_disable)
        __lsan_disable();
}

static void end_keeping(void)
{
    if (__lsan_enable)
        __lsan_enable();
}

static void because(const char *format, const char *detail)
{
    snprintf(reason, sizeof reason, format, detail);
}

static bool find_functions(void *library)
{
#define FIND(type, name, parameters)                                                               \
    if (!(*(void **)&py.name = dlsym(library, #name))) {                                           \
        because("this Python has no %s", #name);                                                   \
        return false;                                                                              \
    }
    PYTHON_FUNCTIONS(FIND)
    const unsigned long *version = dlsym(library, "Py_Version"); /* since 3.11 */
    py.for_each_thread = version && *version >= 0x030c0000;
    *(void **)&py.current_state = dlsym(library, "PyThreadState_GetUnchecked"); /* since 3.13 */
    if (!py.current_state)
        *(void **)&py.current_state = dlsym(library, "_PyThreadState_UncheckedGet");
    py.none = dlsym(library, "_Py_NoneStruct");
    py.keyboard_interrupt = dlsym(library, "PyExc_KeyboardInterrupt");
    if (!py.current_state)
        because("this Python has no %s", "PyThreadState_GetUnchecked");
    return py.none && py.keyboard_interrupt && py.current_state;
}

/* Told its program's name, Python finds its virtual environment whatever PATH says; told to ignore
   the environment, it does not follow a PYTHONHOME or PYTHONPATH meant for another. Up to Python
   3.13. */
static bool initialise_by_flags(void *library)
{
    void (*set_program_name)(const wchar_t *) = dlsym(library, "Py_SetProgramName");
    int *ignore_environment = dlsym(library, "Py_IgnoreEnvironmentFlag");
    int *utf8 = dlsym(library, "Py_UTF8Mode");
    if (!set_program_name || !ignore_environment || !utf8) {
        because("%s knows no way to be started that we know", PYTHON_LIBRARY);
        return false;
    }
    *ignore_environment = *utf8 = 1;
    set_program_name(py.Py_DecodeLocale(PYTHON_PROGRAM, NULL));
    py.Py_InitializeEx(0); /* 0: SIGINT stays the program's */
    return true;
}

/* The same from Python 3.14 on. */
static bool initialise_by_config(void *library)
{
    void *(*create)(void) = dlsym(library, "PyInitConfig_Create");
    int (*set_text)(void *, const char *, const char *) = dlsym(library, "PyInitConfig_SetStr");
    int (*set_number)(void *, const char *, int64_t) = dlsym(library, "PyInitConfig_SetInt");
    int (*initialise)(void *) = dlsym(library, "Py_InitializeFromInitConfig");
    int (*get_error)(void *, const char **) = dlsym(library, "PyInitConfig_GetError");
    if (!create || !set_text || !set_number || !initialise || !get_error)
        return initialise_by_flags(library);
    void *config = create(); /* isolated: no environment, no signal handlers */
    const char *error = "out of memory";
    if (config && set_text(config, "program_name", PYTHON_PROGRAM) == 0 &&
        set_number(config, "utf8_mode", 1) == 0 &&
        set_number(config, "user_site_directory", 1) == 0 && initialise(config) == 0)
        return true; /* the little that it holds is kept for ever */
    if (config)
        get_error(config, &error);
    because("%s", error);
    return false;
}

/* A thread that has a state from us ends. Python's own note of that state may be gone by now: a
   thread's keys are cleared in the order in which they were made. */
static void leave_for_good(void *thread_state)
{
    if (has_ended())
        return; /* and our state with it */
    py.PyEval_RestoreThread(thread_state);
    py.PyThreadState_Clear(thread_state);
    py.PyThreadState_DeleteCurrent();
}

static bool initialise(void *library)
{
    if (access(PYTHON_STDLIB "/encodings", R_OK)) { /* Python would end the process */
        because("its standard library is gone: %s", PYTHON_STDLIB);
        return false;
    }
    char *locale = setlocale(LC_CTYPE, NULL);
    char *before = locale ? strdup(locale) : NULL;
    bool done = initialise_by_config(library);
    if (before)
        setlocale(LC_CTYPE, before); /* Python takes the user's, the program did not ask for that */
    free(before);
    if (done) {
        py.ours = attached = true;
        python_load(); /* here, where nobody forks: a child of half an import would wait for ever */
        py.PyEval_SaveThread();
    }
    return done;
}

static bool start(void)
{
    if (pthread_key_create(&thread_key, leave_for_good)) {
        because("%s", "no more thread keys");
        return false;
    }
    void *library = RTLD_DEFAULT; /* a Python process, or a program with Python inside */
    if (!dlsym(RTLD_DEFAULT, "Py_IsInitialized")) {
        if (!*PYTHON_LIBRARY) {
            because("%s has no shared library (it was built without --enable-shared), so it can "
                    "serve Python programs but no C or C++ ones; install openaclnn for a Python "
                    "that has one", PYTHON_PROGRAM);
            return false;
        }
        /* global: extension modules look for Python's functions among the process's symbols */
        library = dlopen(PYTHON_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
        if (!library) {
            because("%s", dlerror());
            return false;
        }
    }
    if (!find_functions(library))
        return false;
    if (!py.Py_IsInitialized())
        return initialise(library);
    py.Py_AtExit(note_end);
    return true;
}

/* Whether a thread state is the calling thread's, by the number of the thread that stands in it: at
   the place where a state that is ours has it. */
static bool is_of_this_thread(const unsigned long *state, const unsigned long *ours)
{
    enum { WORDS_AT_MOST = 32 };
    unsigned long self = (unsigned long)pthread_self();
    for (int i = 0; ours && i < WORDS_AT_MOST; i++)
        if (ours[i] == self)
            return state[i] == self;
    return false;
}

/* Whether the calling thread is inside another interpreter than the main one, which alone we serve:
   asking for its GIL would wait for ever. */
static bool in_subinterpreter(void)
{
    if (!py.PyInterpreterState_Next(py.PyInterpreterState_Head()))
        return false;
    void *main = py.PyInterpreterState_Main(), *current = py.current_state();
    void *ours = py.PyGILState_GetThisThreadState();
    if (ours && py.PyThreadState_GetInterpreter(ours) != main)
        return true;
    if (!current || current == ours || !(py.for_each_thread || is_of_this_thread(current, ours)))
        return false;
    return py.PyThreadState_GetInterpreter(current) != main;
}

/* Whether the program has Python's library, but has not started it. Starting it for the program would
   leave its own Py_Initialize without effect, and the program without the GIL. */
static bool python_sleeps(void)
{
    int (*initialised)(void) = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    return initialised && !initialised();
}

/* Start Python, or find it started. A fork waits for that, and so does every other first call. */
static void start_once(void)
{
    /* Waiting for the lock with the GIL held would stop the thread that is starting. */
    int (*holds_gil)(void) = dlsym(RTLD_DEFAULT, "PyGILState_Check");
    void *(*release_gil)(void) = dlsym(RTLD_DEFAULT, "PyEval_SaveThread");
    void (*take_gil)(void *) = dlsym(RTLD_DEFAULT, "PyEval_RestoreThread");
    void *held = holds_gil && !python_sleeps() && holds_gil() ? release_gil() : NULL;
    fenv_t environment;
    pthread_mutex_lock(&starting);
    starts_here = true;
    begin_keeping();
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV); /* the program may trap what Python's modules do when they are imported */
    if (stage == NOT_STARTED && !python_sleeps()) {
        uint64_t begun = record_begun();
        int now = start() ? READY : FAILED;
        record_span("start Python", begun, 0);
        if (now == FAILED)
            fprintf(stderr, "openaclnn: Python could not be started: %s\n", reason);
        __atomic_store_n(&stage, now, __ATOMIC_RELEASE);
    }
    fesetenv(&environment);
    end_keeping();
    starts_here = false;
    pthread_mutex_unlock(&starting);
    if (held)
        take_gil(held);
}

/* Why Python cannot be entered now, or null. */
static const char *trouble(int now)
{
    if (now == NOT_STARTED)
        return "this program has Python inside and has not started it; call Py_Initialize before the "
               "first operator";
    if (py.ours)
        return NULL;
    if (has_ended())
        return "the Python of this process has ended";
    return in_subinterpreter() ? "this is a subinterpreter of Python; expected a call from the main "
                                 "interpreter, or from outside Python" : NULL;
}

static bool started(const char *function, int *status)
{
    int now = __atomic_load_n(&stage, __ATOMIC_ACQUIRE);
    if (now == NOT_STARTED) {
        start_once();
        now = __atomic_load_n(&stage, __ATOMIC_ACQUIRE);
    }
    if (now == FAILED) {
        *status = fail(ACLNN_ERR_INNER, function, "Python could not be started: %s", reason);
        return false;
    }
    const char *why_not = trouble(now);
    if (why_not)
        *status = fail(ACLNN_ERR_INNER, function, "%s", why_not);
    return !why_not;
}

bool python_hosts(void)
{
    static int (*initialised)(void);
    static void *(*state)(void);
    if (py.ours)
        return false;
    if (!initialised || !state) {
        initialised = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
        state = dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
    }
    return initialised && initialised() && state && state();
}

struct Entry {
    int gil, depth;
    fenv_t environment;
};
static __thread struct Entry entry_of_this_thread;

bool python_is_entered(void)
{
    return (entry_of_this_thread.depth & 0xffff) > 0;
}

struct Entry *python_enter(const char *function, int *status)
{
    struct Entry *entry = &entry_of_this_thread;
    if (!started(function, status))
        return NULL;
    begin_keeping();
    if (!attached) {
        /* Making a thread state anew for every call would cost more than the call. */
        if (!py.PyGILState_GetThisThreadState()) {
            py.PyGILState_Ensure();
            pthread_setspecific(thread_key, py.PyEval_SaveThread());
        }
        attached = true;
    }
    int gil = py.PyGILState_Ensure();
    if (entry->depth++ == 0) {
        entry->gil = gil;
        /* A program built with -ffast-math flushes subnormals to zero; results must not depend on
           that, nor Python's own arithmetic. */
        fegetenv(&entry->environment);
        fesetenv(FE_DFL_ENV);
    } else {
        py.PyGILState_Release(gil); /* the outer entry holds it */
    }
    return entry;
}

void python_leave(struct Entry *entry)
{
    end_keeping();
    if (RECORDING && entry->depth == 1)
        python_tell_spans();
    if (--entry->depth)
        return;
    fesetenv(&entry->environment);
    py.PyGILState_Release(entry->gil);
}

void python_before_fork(void)
{
    if (starts_here)
        return; /* Python itself forks while it starts, to run a program */
    pthread_mutex_lock(&starting);
    if (stage == READY && py.ours && !py.PyGILState_Check()) {
        int status;
        python_enter(__func__, &status);
        py.PyOS_BeforeFork();
        entry_of_this_thread.depth += 1 << 16; /* a note to self: this fork is ours to look after */
    }
}

void python_after_fork(bool child)
{
    if (starts_here)
        return;
    if (entry_of_this_thread.depth >> 16) {
        entry_of_this_thread.depth -= 1 << 16;
        child ? py.PyOS_AfterFork_Child() : py.PyOS_AfterFork_Parent();
        python_leave(&entry_of_this_thread);
    }
    pthread_mutex_unlock(&starting);
}
