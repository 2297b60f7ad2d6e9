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

void run_aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
                   const char *fmt, va_list values)
{
    static const char *const levels[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
    char *message = NULL;
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
