/* OPENACLNN_SANITIZE: a program that was started by itself is watched as "openaclnn sanitize" would.
   The reader of the record is a process of its own, and nobody's child: programs wait for theirs. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int verdict = -1; /* where the watcher tells the exit code: one byte */
static pid_t watched;
static bool unwatched;  /* though it was to be */
static char path[4096]; /* of the record */

enum { BEGINNING = 4096 }; /* bytes of the record that are there from the start: see record.c */

static void become_watcher(void)
{
    char process[32], answer[32];
    snprintf(process, sizeof process, "%d", (int)watched);
    snprintf(answer, sizeof answer, "%d", verdict);
    unsetenv("OPENACLNN_RECORD");
    unsetenv("LD_PRELOAD");
    setenv("PYTHONPATH", PACKAGE_ROOT, 1);
    execl(PYTHON_PROGRAM, PYTHON_PROGRAM, "-m", "openaclnn.sanitize", path, process, answer,
          (char *)NULL);
    fprintf(stderr, "openaclnn sanitizer: %s cannot be executed\n", PYTHON_PROGRAM);
    _exit(1);
}

/* A process that wanted to be watched and is not. It ends with an exit code that says so. */
static void give_up(const char *why)
{
    fprintf(stderr, "openaclnn sanitizer: %s: %s\n", why, strerror(errno));
    unwatched = true;
}

void watcher_start(void)
{
    static const char nothing[BEGINNING];
    const char *folder = getenv("TMPDIR");
    int ends[2];
    watched = getpid();
    snprintf(path, sizeof path, "%s/openaclnn-record-XXXXXX", folder ? folder : "/tmp");
    int made = mkstemp(path);
    if (made < 0) {
        give_up("the calls cannot be recorded");
        return;
    }
    struct rlimit limit;
    bool begun = !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur >= BEGINNING;
    errno = begun ? 0 : EFBIG; /* to write would be a signal */
    begun = begun && write(made, nothing, sizeof nothing) == sizeof nothing && !pipe(ends);
    if (!begun) {
        give_up("the calls cannot be recorded");
        unlink(path);
    }
    close(made);
    if (!begun)
        return;
    pid_t between = fork();
    if (between == 0) {
        close(ends[0]);
        verdict = ends[1];
        if (fork() == 0)
            become_watcher();
        _exit(0);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    verdict = ends[0];
    if (between > 0)
        waitpid(between, NULL, 0);
    setenv("OPENACLNN_RECORD", path, 1);
    setenv("OPENACLNN_REFUSALS", "0", 0); /* they are told by the report */
}

bool watcher_is_gone(void)
{
    struct pollfd end = {.fd = verdict, .events = POLLIN};
    return verdict >= 0 && watched == getpid() && poll(&end, 1, 0) == 1 && !(end.revents & POLLIN);
}

/* What a process ends with that was not judged: the exit code that is asked for, or 2. */
static int code_of_incomplete(void)
{
    const char *options = getenv("OPENACLNN_SANITIZE");
    while (options && *options) {
        int code = strncmp(options, "exitcode=", 9) ? 0 : atoi(options + 9);
        if (code > 0 && code < 256)
            return code;
        options = strchr(options, ':');
        options += options != NULL;
    }
    return 2;
}

void watcher_end(void)
{
    unsigned char code = 0;
    ssize_t told = 0;
    if (watched != getpid())
        return;
    bool recorded = !unwatched && record_await_verdict();
    if (recorded)
        do
            told = read(verdict, &code, 1);
        while (told < 0 && errno == EINTR);
    if (told != 1) {
        fprintf(stderr, "==%d== SUMMARY: openaclnn sanitizer: incomplete: %s\n", (int)watched,
                recorded ? "the process that judges has ended" : "the calls could not be recorded");
        if (!unwatched)
            unlink(path);
        code = (unsigned char)code_of_incomplete();
    }
    if (!code)
        return;
    fflush(NULL);
    _exit(code);
}
