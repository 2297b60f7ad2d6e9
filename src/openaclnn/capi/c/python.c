/* Finds Python, starts it where nobody has, and calls it. Needs neither its headers nor a link to it:
   one build serves every version. PYTHON_LIBRARY, PYTHON_PROGRAM and PACKAGE_ROOT come from the
   build. Python is never finalised, so that calls from atexit and static destructors still work. */
#include "internal.h"

#include <dlfcn.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

typedef PythonObject Object;

#define PYTHON_FUNCTIONS(F)                                                                        \
    F(int, Py_IsInitialized, (void))                                                               \
    F(wchar_t *, Py_DecodeLocale, (const char *, size_t *))                                        \
    F(void, Py_InitializeEx, (int))                                                                \
    F(int, PyGILState_Ensure, (void))                                                              \
    F(void, PyGILState_Release, (int))                                                             \
    F(int, PyGILState_Check, (void))                                                               \
    F(void *, PyGILState_GetThisThreadState, (void))                                               \
    F(void *, PyEval_SaveThread, (void))                                                           \
    F(void, PyEval_RestoreThread, (void *))                                                        \
    F(void, PyOS_BeforeFork, (void))                                                               \
    F(void, PyOS_AfterFork_Parent, (void))                                                         \
    F(void, PyOS_AfterFork_Child, (void))                                                          \
    F(Object *, PyImport_ImportModule, (const char *))                                             \
    F(Object *, PySys_GetObject, (const char *))                                                   \
    F(int, PySequence_Contains, (Object *, Object *))                                              \
    F(int, PyList_Insert, (Object *, ptrdiff_t, Object *))                                         \
    F(Object *, PyObject_GetAttrString, (Object *, const char *))                                  \
    F(Object *, PyObject_CallObject, (Object *, Object *))                                         \
    F(Object *, PyObject_Str, (Object *))                                                          \
    F(Object *, PyTuple_New, (ptrdiff_t))                                                          \
    F(int, PyTuple_SetItem, (Object *, ptrdiff_t, Object *))                                       \
    F(Object *, PyTuple_GetItem, (Object *, ptrdiff_t))                                            \
    F(Object *, PyLong_FromLongLong, (long long))                                                  \
    F(Object *, PyLong_FromUnsignedLongLong, (unsigned long long))                                 \
    F(long long, PyLong_AsLongLong, (Object *))                                                    \
    F(unsigned long long, PyLong_AsUnsignedLongLong, (Object *))                                   \
    F(Object *, PyFloat_FromDouble, (double))                                                      \
    F(Object *, PyBool_FromLong, (long))                                                           \
    F(Object *, PyBytes_FromStringAndSize, (const char *, ptrdiff_t))                              \
    F(Object *, PyUnicode_DecodeFSDefault, (const char *))                                         \
    F(Object *, PyUnicode_AsUTF8String, (Object *))                                                \
    F(char *, PyBytes_AsString, (Object *))                                                        \
    F(Object *, PyErr_Occurred, (void))                                                            \
    F(void, PyErr_Fetch, (Object **, Object **, Object **))                                        \
    F(int, PyErr_GivenExceptionMatches, (Object *, Object *))                                      \
    F(void, PyErr_SetInterrupt, (void))                                                            \
    F(void, Py_IncRef, (Object *))                                                                 \
    F(void, Py_DecRef, (Object *))

#define POINTER(type, name, parameters) type(*name) parameters;
static struct {
    PYTHON_FUNCTIONS(POINTER)
} py;
static Object *py_none, **py_keyboard_interrupt;

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static enum { NOT_STARTED, READY, FAILED } stage;
static bool ours;         /* we started the interpreter, nobody else will look after it */
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
    py_none = dlsym(library, "_Py_NoneStruct");
    py_keyboard_interrupt = dlsym(library, "PyExc_KeyboardInterrupt");
    return py_none && py_keyboard_interrupt;
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
    py.PyEval_RestoreThread(py.PyGILState_GetThisThreadState());
    py.PyGILState_Release(1); /* 1: it was unlocked before; this deletes the thread's state */
}

static bool initialise(void *library)
{
    char *locale = setlocale(LC_CTYPE, NULL);
    char *before = locale ? strdup(locale) : NULL;
    bool done = initialise_by_flags(library) || initialise_by_config(library);
    if (before)
        setlocale(LC_CTYPE, before); /* Python takes the user's, the program did not ask for that */
    free(before);
    if (done) {
        ours = attached = true;
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
    if (!ours && !py.Py_IsInitialized()) {
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
    if (stage == READY && ours && !py.PyGILState_Check()) {
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

PythonObject *python_integer(uint64_t value)
{
    return py.PyLong_FromUnsignedLongLong(value);
}

PythonObject *python_signed(int64_t value)
{
    return py.PyLong_FromLongLong(value);
}

PythonObject *python_float(double value)
{
    return py.PyFloat_FromDouble(value);
}

PythonObject *python_bool(bool value)
{
    return py.PyBool_FromLong(value);
}

PythonObject *python_bytes(const void *data, size_t size)
{
    return py.PyBytes_FromStringAndSize(data, (ptrdiff_t)size);
}

PythonObject *python_text(const char *text)
{
    return py.PyUnicode_DecodeFSDefault(text);
}

PythonObject *python_none(void)
{
    return python_keep(py_none);
}

PythonObject *python_tuple(PythonObject **items, int count)
{
    Object *tuple = py.PyTuple_New(count);
    for (int i = 0; i < count; i++)
        py.PyTuple_SetItem(tuple, i, items[i]);
    return tuple;
}

PythonObject *python_item(PythonObject *tuple, int index)
{
    return py.PyTuple_GetItem(tuple, index);
}

int64_t python_to_integer(PythonObject *object)
{
    return py.PyLong_AsLongLong(object);
}

uint64_t python_to_unsigned(PythonObject *object)
{
    return py.PyLong_AsUnsignedLongLong(object);
}

PythonObject *python_keep(PythonObject *object)
{
    py.Py_IncRef(object);
    return object;
}

void python_drop(PythonObject *object)
{
    py.Py_DecRef(object);
}

/* Append the text of an object to a buffer. */
static void append_text(char *buffer, size_t size, Object *object)
{
    Object *text = object ? py.PyObject_Str(object) : NULL;
    Object *bytes = text ? py.PyUnicode_AsUTF8String(text) : NULL;
    const char *characters = bytes ? py.PyBytes_AsString(bytes) : NULL;
    if (characters)
        strncat(buffer, characters, size - strlen(buffer) - 1);
    python_drop(bytes);
    python_drop(text);
}

/* Take the exception that Python raised and say what it says. */
static void describe_exception(char *text, size_t size)
{
    Object *type = NULL, *value = NULL, *trace = NULL;
    *text = 0;
    py.PyErr_Fetch(&type, &value, &trace);
    if (type && py.PyErr_GivenExceptionMatches(type, *py_keyboard_interrupt)) {
        py.PyErr_SetInterrupt(); /* the Python program around us gets it when we return */
        strncat(text, "interrupted", size - 1);
    } else {
        Object *name = type ? py.PyObject_GetAttrString(type, "__name__") : NULL;
        append_text(text, size, name);
        strncat(text, ": ", size - strlen(text) - 1);
        append_text(text, size, value);
        python_drop(name);
    }
    python_drop(type);
    python_drop(value);
    python_drop(trace);
}

/* The interpreter ignores PYTHONPATH, so a package that is run from a checkout must be shown. */
static void show_package(void)
{
    Object *path = py.PySys_GetObject("path"), *root = python_text(PACKAGE_ROOT);
    if (path && root && !py.PySequence_Contains(path, root))
        py.PyList_Insert(path, 0, root);
    python_drop(root);
}

/* openaclnn.capi.bridge, imported when it is first needed; tells why not, on stderr too. */
static Object *import_bridge(const char *function, int *status)
{
    static bool told;
    int ignored;
    if (ours)
        show_package();
    Object *module = py.PyImport_ImportModule("openaclnn.capi.bridge");
    if (!module) {
        char text[1024];
        describe_exception(text, sizeof text);
        *status = fail(ACLNN_ERR_INNER, function,
                       "this Python cannot import openaclnn.capi.bridge (%s); openaclnn is installed "
                       "for %s", text, PYTHON_PROGRAM);
        if (!told)
            fprintf(stderr, "openaclnn: this Python cannot import openaclnn.capi.bridge (%s); "
                            "openaclnn is installed for %s\n", text, PYTHON_PROGRAM);
        told = true;
        return NULL;
    }
    Object *flush = ours ? py.PyObject_GetAttrString(module, "print_at_once") : NULL;
    if (flush)
        python_drop(python_call(function, flush, py.PyTuple_New(0), &ignored));
    python_drop(flush);
    return module;
}

PythonObject *python_bridge(const char *function, const char *name, int *status)
{
    static Object *bridge;
    if (!bridge)
        bridge = import_bridge(function, status);
    if (!bridge)
        return NULL;
    Object *found = py.PyObject_GetAttrString(bridge, name);
    if (!found) {
        char text[1024];
        describe_exception(text, sizeof text);
        *status = fail(ACLNN_ERR_INNER, function, "%s", text);
    }
    return found;
}

PythonObject *python_call(const char *function, PythonObject *callee, PythonObject *arguments,
                          int *status)
{
    Object *answer = py.PyObject_CallObject(callee, arguments);
    python_drop(arguments);
    char text[4096];
    if (!answer) {
        describe_exception(text, sizeof text);
        *status = fail(ACLNN_ERR_INNER, function, "%s", text);
        return NULL;
    }
    *status = (int)python_to_integer(python_item(answer, 0));
    if (*status == 0)
        return answer;
    *text = 0;
    append_text(text, sizeof text, python_item(answer, 1));
    fail_with(*status, text);
    python_drop(answer);
    return NULL;
}
