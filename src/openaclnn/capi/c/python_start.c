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
static enum { NOT_STARTED, READY, FAILED } stage;
static char reason[1024]; /* why it failed */

static pthread_key_t thread_key; /* runs `leave_for_good` when a thread of ours ends */
static __thread bool attached;   /* this thread has a thread state that stays */

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
    py.none = dlsym(library, "_Py_NoneStruct");
    py.keyboard_interrupt = dlsym(library, "PyExc_KeyboardInterrupt");
    return py.none && py.keyboard_interrupt;
}

/* Told its program's name, Python finds its virtual environment whatever PATH says; told to ignore
   the environment, it does not follow a PYTHONHOME or PYTHONPATH meant for another. Up to Python
   3.14, which has said that this way will go. */
static bool initialise_by_flags(void *library)
{
    void (*set_program_name)(const wchar_t *) = dlsym(library, "Py_SetProgramName");
    int *ignore_environment = dlsym(library, "Py_IgnoreEnvironmentFlag");
    int *utf8 = dlsym(library, "Py_UTF8Mode");
    if (!set_program_name || !ignore_environment || !utf8)
        return false;
    *ignore_environment = *utf8 = 1;
    set_program_name(py.Py_DecodeLocale(PYTHON_PROGRAM, NULL));
    py.Py_InitializeEx(0); /* 0: SIGINT stays the program's */
    return true;
}

/* The same by the way that came with Python 3.14. */
static bool initialise_by_config(void *library)
{
    void *(*create)(void) = dlsym(library, "PyInitConfig_Create");
    int (*set_text)(void *, const char *, const char *) = dlsym(library, "PyInitConfig_SetStr");
    int (*set_number)(void *, const char *, int64_t) = dlsym(library, "PyInitConfig_SetInt");
    int (*initialise)(void *) = dlsym(library, "Py_InitializeFromInitConfig");
    int (*get_error)(void *, const char **) = dlsym(library, "PyInitConfig_GetError");
    if (!create || !set_text || !set_number || !initialise || !get_error) {
        because("%s knows no way to be started that we know", PYTHON_LIBRARY);
        return false;
    }
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

static void leave_for_good(void *unused)
{
    (void)unused;
    if (!py.Py_IsInitialized())
        return; /* the Python around us has ended, and our state with it */
    py.PyEval_RestoreThread(py.PyGILState_GetThisThreadState());
    py.PyGILState_Release(1); /* 1: it was unlocked before; this deletes the thread's state */
}

static bool initialise(void *library)
{
    if (access(PYTHON_STDLIB "/encodings", R_OK)) { /* Python would end the process */
        because("its standard library is gone: %s", PYTHON_STDLIB);
        return false;
    }
    char *locale = setlocale(LC_CTYPE, NULL);
    char *before = locale ? strdup(locale) : NULL;
    bool done = initialise_by_flags(library) || initialise_by_config(library);
    if (before)
        setlocale(LC_CTYPE, before); /* Python takes the user's, the program did not ask for that */
    free(before);
    if (done) {
        py.ours = attached = true;
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
    return find_functions(library) && (py.Py_IsInitialized() || initialise(library));
}

static int refuse(const char *function)
{
    return fail(ACLNN_ERR_INNER, function, "Python could not be started: %s", reason);
}

static bool started(const char *function, int *status)
{
    int now = __atomic_load_n(&stage, __ATOMIC_ACQUIRE);
    if (now == NOT_STARTED) {
        /* Waiting for the lock with the GIL held would stop the thread that is starting. */
        int (*holds_gil)(void) = dlsym(RTLD_DEFAULT, "PyGILState_Check");
        int (*initialised)(void) = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
        void *(*release_gil)(void) = dlsym(RTLD_DEFAULT, "PyEval_SaveThread");
        void (*take_gil)(void *) = dlsym(RTLD_DEFAULT, "PyEval_RestoreThread");
        void *held = NULL;
        if (holds_gil && initialised && initialised() && holds_gil())
            held = release_gil();
        pthread_mutex_lock(&starting);
        if (stage == NOT_STARTED) {
            now = start() ? READY : FAILED;
            if (now == FAILED)
                fprintf(stderr, "openaclnn: Python could not be started: %s\n", reason);
            __atomic_store_n(&stage, now, __ATOMIC_RELEASE);
        }
        now = stage;
        pthread_mutex_unlock(&starting);
        if (held)
            take_gil(held);
    }
    if (now == FAILED) {
        *status = refuse(function);
        return false;
    }
    if (!py.ours && !py.Py_IsInitialized()) {
        *status = fail(ACLNN_ERR_INNER, function, "the Python of this process has ended");
        return false;
    }
    return true;
}

struct Entry {
    int gil, depth;
    fenv_t environment;
};
static __thread struct Entry entry_of_this_thread;

struct Entry *python_enter(const char *function, int *status)
{
    struct Entry *entry = &entry_of_this_thread;
    if (!started(function, status))
        return NULL;
    if (!attached) {
        /* Making a thread state anew for every call would cost more than the call. */
        if (!py.PyGILState_GetThisThreadState()) {
            py.PyGILState_Ensure();
            py.PyEval_SaveThread();
            pthread_setspecific(thread_key, entry);
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
    if (--entry->depth)
        return;
    fesetenv(&entry->environment);
    py.PyGILState_Release(entry->gil);
}

void python_before_fork(void)
{
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
    if (entry_of_this_thread.depth >> 16) {
        entry_of_this_thread.depth -= 1 << 16;
        child ? py.PyOS_AfterFork_Child() : py.PyOS_AfterFork_Parent();
        python_leave(&entry_of_this_thread);
    }
    pthread_mutex_unlock(&starting);
}
