/* The calling thread's latest error, as aclGetRecentErrMsg gives it. */
#include "internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct Messages {
    char *recent; /* not yet asked for */
    char *given;  /* what the last aclGetRecentErrMsg returned, valid until the next */
};

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void discard(void *value)
{
    struct Messages *messages = value;
    free(messages->recent);
    free(messages->given);
    free(messages);
}

static void make_key(void)
{
    pthread_key_create(&key, discard);
}

static struct Messages *of_this_thread(bool make)
{
    pthread_once(&key_once, make_key);
    struct Messages *messages = pthread_getspecific(key);
    if (!messages && make) {
        messages = calloc(1, sizeof *messages);
        pthread_setspecific(key, messages);
    }
    return messages;
}

static const char *family(int code)
{
    switch (code) {
    case 161001: case 161002: return "AclNN_Parameter_Error(EZ1001)";
    case 361001: return "AclNN_Runtime_Error(EZ9903)";
    case 200000: case 207001: return "Acl_Memory_Error(EL0004)";
    default: break;
    }
    if (code / 100000 == 5)
        return is_operators(code) ? "AclNN_Inner_Error(EZ9999)" : "Acl_Inner_Error(EE9999)";
    return "Acl_Argument_Error(EE1001)";
}

static __thread int last_error; /* of the runtime; operators' statuses are not its business */

enum { RUNTIME_CODES = 100000 }; /* below are those of collectives */

bool is_operators(int code)
{
    return code / 1000 % 100 == 61;
}

static __thread bool quiet; /* what is kept now is nobody's refusal, or was told */

int fail_with(int code, const char *text)
{
    if (RECORDING)
        record_reason(text);
    if (!quiet)
        refusal_tell(code, text);
    if (!is_operators(code) && code >= RUNTIME_CODES)
        last_error = code;
    struct Messages *messages = of_this_thread(true);
    if (!messages)
        return code;
    struct timeval now;
    struct tm date;
    char when[32];
    gettimeofday(&now, NULL);
    localtime_r(&now.tv_sec, &date);
    strftime(when, sizeof when, "%Y-%m-%d-%H:%M:%S", &date);
    free(messages->recent);
    if (asprintf(&messages->recent, "[PID: %d] %s.%03d.%03d %s: %s", (int)getpid(), when,
                 (int)(now.tv_usec / 1000), (int)(now.tv_usec % 1000), family(code), text) < 0)
        messages->recent = NULL;
    return code;
}

void last_error_forget(void)
{
    last_error = 0;
}

int answer_none(int code, const char *function, const char *text)
{
    int before = last_error;
    fail_told(code, function, text);
    last_error = before;
    return code;
}

int fail_told(int code, const char *function, const char *text)
{
    quiet = true;
    fail(code, function, "%s", text);
    quiet = false;
    return code;
}

int fail_again(int code, const char *message)
{
    struct Messages *messages = of_this_thread(true);
    last_error = code;
    if (messages) {
        free(messages->recent);
        messages->recent = message ? strdup(message) : NULL;
    }
    return code;
}

int fail(int code, const char *function, const char *format, ...)
{
    char *reason = NULL, *text = NULL;
    va_list values;
    if (strncmp(function, "run_", 4) == 0)
        function += 4;
    va_start(values, format);
    if (vasprintf(&reason, format, values) < 0)
        reason = NULL;
    va_end(values);
    if (asprintf(&text, "%s: %s", function, reason ? reason : format) < 0)
        text = NULL;
    fail_with(code, text ? text : format);
    free(reason);
    free(text);
    return code;
}

aclError run_aclrtPeekAtLastError(aclrtLastErrLevel level)
{
    if (level != ACL_RT_THREAD_LEVEL)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "level is %d; expected 0", (int)level);
    return last_error;
}

aclError run_aclrtGetLastError(aclrtLastErrLevel level)
{
    int code = run_aclrtPeekAtLastError(level);
    if (level == ACL_RT_THREAD_LEVEL)
        last_error = 0;
    return code;
}

const char *run_aclGetRecentErrMsg(void)
{
    struct Messages *messages = of_this_thread(false);
    if (!messages || !messages->recent)
        return NULL;
    free(messages->given);
    messages->given = messages->recent;
    messages->recent = NULL;
    return messages->given;
}
