/* The log: messages of the program's own, as the environment asks for them. */
#include "internal.h"

#include <pthread.h>
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

/* The level from which on messages are shown. One that begins with 0 is that of set_env.sh: it lets
   torch_npu say what it misses, and nobody else wants to read that. */
static int level_shown(void)
{
    const char *text = getenv("ASCEND_GLOBAL_LOG_LEVEL");
    bool ours = text && text[0] == '0' && text[1];
    return ours ? ACL_ERROR : setting("ASCEND_GLOBAL_LOG_LEVEL", ACL_ERROR);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char looked_for[128]; /* by the program, in vain */

bool missing_function(char *name, size_t size)
{
    pthread_mutex_lock(&lock);
    bool found = looked_for[0];
    if (name)
        snprintf(name, size, "%s", looked_for);
    looked_for[0] = 0;
    pthread_mutex_unlock(&lock);
    return found;
}

/* torch_npu tells its log, and nobody else, for which aclnn function it has no address. */
static void remember_missing(const char *format, va_list values)
{
    const char *said = strchr(format, '%'); /* behind a prefix */
    if (!said || strncmp(said, "%s or %sGetWorkspaceSize not in", 31) != 0)
        return;
    va_list copy;
    va_copy(copy, values);
    pthread_mutex_lock(&lock);
    snprintf(looked_for, sizeof looked_for, "%s", va_arg(copy, const char *));
    pthread_mutex_unlock(&lock);
    va_end(copy);
}

void run_aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
                   const char *fmt, va_list values)
{
    static const char *const levels[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
    char *message = NULL;
    if (fmt)
        remember_missing(fmt, values);
    if ((int)logLevel < level_shown() || !fmt)
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
