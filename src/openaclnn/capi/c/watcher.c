/* OPENACLNN_SANITIZE: a program that was started by itself is watched as "openaclnn sanitize" would.
   The reader of the record is a process of its own, and nobody's child: programs wait for theirs. */
#include "internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int verdict = -1; /* where the watcher tells the exit code: one byte */
static pid_t watched;

static void become_watcher(const char *path)
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

void watcher_start(void)
{
    const char *folder = getenv("TMPDIR");
    char path[512];
    int ends[2];
    snprintf(path, sizeof path, "%s/openaclnn-record-XXXXXX", folder ? folder : "/tmp");
    int made = mkstemp(path);
    if (made < 0 || pipe(ends)) {
        perror("openaclnn sanitizer: the calls cannot be recorded");
        return;
    }
    close(made);
    watched = getpid();
    pid_t between = fork();
    if (between == 0) {
        close(ends[0]);
        verdict = ends[1];
        if (fork() == 0)
            become_watcher(path);
        _exit(0);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    verdict = ends[0];
    waitpid(between, NULL, 0);
    setenv("OPENACLNN_RECORD", path, 1);
}

void watcher_end(void)
{
    unsigned char code = 0;
    if (verdict < 0 || watched != getpid() || read(verdict, &code, 1) != 1 || !code)
        return;
    fflush(NULL);
    _exit(code);
}
