/* A device that the library does not know itself: every request goes to Python, to the module that
   openaclnn.runtime names. All values are integers. The functions of the device are generated. */
#include "internal.h"

enum { VALUES_AT_MOST = 8 };

int ask_python(const char *name, const uint64_t *values, int count, uint64_t *answers, int wanted)
{
    static PythonObject *runtime;
    int status = 0;
    struct Entry *entry = python_enter(name, &status);
    if (!entry)
        return status;
    if (!runtime)
        runtime = python_bridge(name, "runtime_call", &status);
    if (runtime) {
        PythonObject *items[VALUES_AT_MOST + 1] = {python_text(name)};
        for (int i = 0; i < count; i++)
            items[i + 1] = python_signed((int64_t)values[i]);
        PythonObject *tuple = python_tuple(items, count + 1);
        PythonObject *result = python_call(name, runtime, tuple, &status);
        for (int i = 0; result && i < wanted; i++)
            answers[i] = (uint64_t)python_to_integer(python_item(result, i + 1));
        if (result)
            python_drop(result);
    }
    python_leave(entry);
    return status;
}

bool forwarded_device_exists(void)
{
    uint64_t exists = 0;
    return ask_python("exists", NULL, 0, &exists, 1) == 0 && exists;
}
