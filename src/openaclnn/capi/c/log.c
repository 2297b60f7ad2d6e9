/* The log: messages of the program's own, as the environment asks for them. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A small number in the environment, or what it is without. */
static int setting(const char *name, int usual)
{
    const char *text = getenv(name);
    return text && *text >= '0' && *text <= '9' ? atoi(text) : usual;
}

static __thread char looked_for[128]; /* by the calling thread's program, in vain */

const char *missing_function(void)
{
    static __thread char given[sizeof looked_for];
    memcpy(given, looked_for, sizeof given);
    looked_for[0] = 0;
    return given[0] ? given : NULL;
}

/* torch_npu tells its log, and nobody else, for which aclnn function it has no address. */
static void remember_missing(const char *format, va_list values)
{
    if (strncmp(format, "%s or %sGetWorkspaceSize not in", 31) != 0)
        return;
    va_list copy;
    va_copy(copy, values);
    snprintf(looked_for, sizeof looked_for, "%s", va_arg(copy, const char *));
    va_end(copy);
}

void run_aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
                   const char *fmt, va_list values)
{
    static const char *const levels[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
    char *message = NULL;
    if (fmt)
        remember_missing(fmt, values);
    if ((int)logLevel < setting("ASCEND_GLOBAL_LOG_LEVEL", ACL_ERROR) || !fmt)
        return;
    if (vasprintf(&message, fmt, values) < 0)
        return;
    const char *place = file ? strrchr(file, '/') : "";
    fprintf(setting("ASCEND_SLOG_PRINT_TO_STDOUT", 0) == 1 ? stdout : stderr,
            "[%s] APP(%d): [%s:%u] %s: %s\n", (int)logLevel <= ACL_ERROR ? levels[logLevel] : "EVENT",
            (int)getpid(), place && *place ? place + 1 : file ? file : "", (unsigned)line,
            func ? func : "", message);
    free(message);
}
