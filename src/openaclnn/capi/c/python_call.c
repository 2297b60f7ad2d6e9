/* Makes Python's objects, calls Python's functions, and turns its exceptions into our errors.
   PYTHON_PROGRAM and PACKAGE_ROOT come from the build. */
#include "python.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return python_keep(py.none);
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

const void *python_to_bytes(PythonObject *object)
{
    return py.PyBytes_AsString(object);
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
    if (type && py.PyErr_GivenExceptionMatches(type, *py.keyboard_interrupt)) {
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

bool python_is_ours(void)
{
    return py.ours;
}

static Object *bridge; /* openaclnn.capi.bridge, once it is imported */

/* Threads of a Python program fork as they like: a child of half an import would wait for ever. */
static const char PREPARE[] =
    "import _thread, os\n"
    "lock = _thread.RLock()\n"
    "os.register_at_fork(\n"
    "    before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release\n"
    ")\n";
static const char IMPORT[] = "with lock: import openaclnn.capi.bridge\n";
/* Where Python is ours: nothing of what is imported is garbage, now or later, and little of what
   calls make. To look for some took 9 of the 75 ms of the import. */
static const char IMPORT_FIRST[] =
    "import gc\n"
    "gc.disable()\n"
    "try:\n"
    "    with lock: import openaclnn.capi.bridge\n"
    "finally:\n"
    "    gc.freeze()\n"
    "    gc.set_threshold(20_000)\n"
    "    gc.enable()\n";

static bool run(const char *source, Object *names)
{
    enum { FILE_INPUT = 257 }; /* Py_file_input */
    Object *done = py.PyRun_String(source, FILE_INPUT, names, names);
    python_drop(done);
    return done;
}

static char stale[1024]; /* why Python does not serve this library */

static bool is_served(Object *module)
{
    static const char name[] = "refusal";
    Dl_info place = {.dli_fname = "libopenaclnn.so"};
    dladdr((const void *)(uintptr_t)is_served, &place);
    Object *callee = py.PyObject_GetAttrString(module, name);
    Object *words[] = {python_text(INTERFACE), python_text(place.dli_fname)};
    Object *answer = callee ? py.PyObject_CallObject(callee, python_tuple(words, 2)) : NULL;
    bool served = answer && python_to_integer(python_item(answer, 0)) == 0;
    *stale = 0;
    if (answer && !served)
        append_text(stale, sizeof stale, python_item(answer, 1));
    python_drop(answer);
    python_drop(callee);
    return served;
}

static bool import_bridge(void)
{
    static Object *names;
    if (!names) {
        Object *fresh = py.PyDict_New();
        if (!fresh || !run(PREPARE, fresh))
            return false;
        names = fresh;
    }
    if (py.ours)
        show_package();
    if (!run(py.ours ? IMPORT_FIRST : IMPORT, names))
        return false;
    Object *module = py.PyImport_ImportModule("openaclnn.capi.bridge");
    if (module && !is_served(module)) {
        python_drop(module);
        return false;
    }
    bridge = module;
    if (bridge && py.ours && !run("openaclnn.capi.bridge.print_at_once()\n", names))
        py.PyErr_Clear();
    return bridge;
}

void python_load(void)
{
    if (!import_bridge())
        py.PyErr_Clear();
}

/* Say why there is no bridge, on stderr too. */
static void tell_why(const char *function, int *status)
{
    static bool told;
    char text[1024], sentence[1536];
    if (*stale) {
        snprintf(sentence, sizeof sentence, "%s", stale);
    } else {
        describe_exception(text, sizeof text);
        snprintf(sentence, sizeof sentence,
                 "this Python cannot import openaclnn.capi.bridge (%s); openaclnn is installed "
                 "for %s", text, PYTHON_PROGRAM);
    }
    *status = fail(ACLNN_ERR_INNER, function, "%s", sentence);
    if (!told)
        fprintf(stderr, "openaclnn: %s\n", sentence);
    told = true;
}

PythonObject *python_bridge(const char *function, const char *name, int *status)
{
    uint64_t begun = bridge ? 0 : record_begun();
    if (!bridge && !import_bridge()) {
        tell_why(function, status);
        return NULL;
    }
    record_span("import openaclnn", begun, 0);
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

uint64_t python_stack(void (*add)(uint64_t number, const char *text))
{
    int status = 0;
    uint64_t number = 0;
    struct Entry *entry = python_enter(__func__, &status);
    PythonObject *callee = entry ? python_bridge(__func__, "record_stack", &status) : NULL;
    if (callee) {
        PythonObject *answer = python_call(__func__, callee, python_tuple(NULL, 0), &status);
        number = answer ? python_to_unsigned(python_item(answer, 1)) : 0;
        const char *text = answer ? py.PyBytes_AsString(python_item(answer, 2)) : NULL;
        if (text && *text)
            add(number, text);
        python_drop(answer);
        python_drop(callee);
    }
    if (entry)
        python_leave(entry);
    return number;
}

bool python_line(char *line, size_t size)
{
    if (!python_is_entered()) /* to wait for the GIL here, with locks held, may be to wait for ever */
        return false;
    int status = 0;
    PythonObject *callee = python_bridge(__func__, "caller_line", &status);
    PythonObject *answer =
        callee ? python_call(__func__, callee, python_tuple(NULL, 0), &status) : NULL;
    *line = 0;
    if (answer)
        append_text(line, size, python_item(answer, 1));
    python_drop(answer);
    python_drop(callee);
    return *line != 0;
}

/* Record what took long in Python since the last time. */
void python_tell_spans(void)
{
    static int wanted = -1;
    int status = 0;
    if (wanted < 0)
        wanted = getenv("OPENACLNN_RECORD_TIMES") != NULL;
    Object *callee = wanted && bridge ? py.PyObject_GetAttrString(bridge, "take_spans") : NULL;
    PythonObject *answer =
        callee ? python_call(__func__, callee, python_tuple(NULL, 0), &status) : NULL;
    Object *name;
    for (int i = 1; answer && (name = python_item(answer, i)); i += 3) {
        char text[64] = "";
        append_text(text, sizeof text, name);
        record_span(text, python_to_unsigned(python_item(answer, i + 1)),
                    python_to_unsigned(python_item(answer, i + 2)));
    }
    if (answer)
        py.PyErr_Clear(); /* there is no item behind the last */
    python_drop(answer);
    python_drop(callee);
}
