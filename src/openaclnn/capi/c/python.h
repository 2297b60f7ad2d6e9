/* Python's own functions, found by name: its headers are not needed, so one build serves every
   version. Shared by python_start.c and python_call.c. */
#ifndef OPENACLNN_PYTHON_H
#define OPENACLNN_PYTHON_H

#include "internal.h"

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
    F(void, PyThreadState_Clear, (void *))                                                         \
    F(void, PyThreadState_DeleteCurrent, (void))                                                   \
    F(void *, PyThreadState_GetInterpreter, (void *))                                              \
    F(void *, PyInterpreterState_Main, (void))                                                     \
    F(void *, PyInterpreterState_Head, (void))                                                     \
    F(void *, PyInterpreterState_Next, (void *))                                                   \
    F(int, Py_AtExit, (void (*)(void)))                                                            \
    F(void, PyOS_BeforeFork, (void))                                                               \
    F(void, PyOS_AfterFork_Parent, (void))                                                         \
    F(void, PyOS_AfterFork_Child, (void))                                                          \
    F(Object *, PyImport_ImportModule, (const char *))                                             \
    F(Object *, PyRun_String, (const char *, int, Object *, Object *))                             \
    F(Object *, PyDict_New, (void))                                                                \
    F(void, PyErr_Clear, (void))                                                                   \
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
struct Python {
    PYTHON_FUNCTIONS(POINTER)
    void *(*current_state)(void); /* the thread state that holds the GIL, or null */
    bool for_each_thread;         /* it does so in the calling thread; otherwise in any */
    Object *none, **keyboard_interrupt;
    bool ours; /* we started the interpreter, nobody else will look after it */
};
extern struct Python py;

/* Import openaclnn.capi.bridge; the caller holds the GIL. Where that fails, the first call tells. */
void python_load(void);

#endif
