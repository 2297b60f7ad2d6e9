/* The log: refused calls, and messages of the program's own, as the environment asks for them. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
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

/* The log as it is known from Ascend: on stdout with ASCEND_SLOG_PRINT_TO_STDOUT=1, otherwise in
   debug/plog/plog-PID_TIME.log below ASCEND_PROCESS_LOG_PATH, or ASCEND_WORK_PATH/log, or ~/ascend/log.
   The file is made when there is something to write. Null where it cannot be. */
static bool on_stdout(void)
{
    return setting("ASCEND_SLOG_PRINT_TO_STDOUT", 0) == 1;
}

/* Where the log is asked to be; false where nobody has said so, and it is where it usually is. */
static bool folder_of_log(char *folder, size_t size)
{
    const char *path = getenv("ASCEND_PROCESS_LOG_PATH"), *work = getenv("ASCEND_WORK_PATH");
    const char *home = getenv("HOME");
    *folder = 0;
    if (path && *path)
        snprintf(folder, size, "%s", path);
    else if (work && *work)
        snprintf(folder, size, "%s/log", work);
    else if (home && *home)
        snprintf(folder, size, "%s/ascend/log", home);
    return (path && *path) || (work && *work);
}

/* Make a folder and those that it lies in. */
static void make_folders(char *path)
{
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0750);
            *at = '/';
        }
}

static FILE *file_of_log(void)
{
    static FILE *file;
    static pid_t owner;
    if (owner == getpid())
        return file;
    owner = getpid();
    file = NULL; /* the parent's is the parent's */
    char folder[3072], path[4096], when[32];
    folder_of_log(folder, sizeof folder);
    time_t now = time(NULL);
    struct tm date;
    strftime(when, sizeof when, "%Y%m%d%H%M%S", localtime_r(&now, &date));
    snprintf(path, sizeof path, "%s/debug/plog/plog-%d_%s.log", folder, (int)getpid(), when);
    if (*folder) {
        make_folders(path);
        file = fopen(path, "ae");
    }
    return file;
}

static void write_line(const char *level, const char *module, const char *text)
{
    struct timeval now;
    struct tm date;
    char when[32];
    gettimeofday(&now, NULL);
    strftime(when, sizeof when, "%Y-%m-%d-%H:%M:%S", localtime_r(&now.tv_sec, &date));
    pthread_mutex_lock(&lock);
    FILE *to = on_stdout() ? stdout : file_of_log();
    if (to) {
        fprintf(to, "[%s] %s(%d,%s):%s.%03d.%03d %s\n", level, module, (int)getpid(),
                program_invocation_short_name, when, (int)(now.tv_usec / 1000),
                (int)(now.tv_usec % 1000), text);
        fflush(to);
    }
    pthread_mutex_unlock(&lock);
}

bool log_wants_refusals(void)
{
    if (level_shown() > ACL_ERROR)
        return false;
    char folder[3072];
    const char *told = getenv("OPENACLNN_REFUSALS"); /* 1: on stderr; 0: to nobody but the log that is asked for */
    return on_stdout() || folder_of_log(folder, sizeof folder) || (!(told && *told) && *folder);
}

void log_refusal(int code, const char *sentence, const char *line)
{
    char *text = NULL;
    if (log_wants_refusals() &&
        asprintf(&text, "[%s] %d %s", *line ? line : "openaclnn", code, sentence) >= 0) {
        write_line("ERROR", is_operators(code) ? "OP" : "ASCENDCL", text);
        free(text);
    }
}

void log_count(unsigned long more, const char *sentence)
{
    char *text = NULL;
    if (more && log_wants_refusals() &&
        asprintf(&text, "[openaclnn] refused %lu more time%s: %s", more, more == 1 ? "" : "s",
                 sentence) >= 0) {
        write_line("ERROR", "OP", text);
        free(text);
    }
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
