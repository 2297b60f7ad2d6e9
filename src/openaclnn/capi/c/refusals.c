/* Refused calls, told once each and then counted: on stderr where OPENACLNN_REFUSALS asks for it
   (openaclnn run and trace do), otherwise in the log, which is where programs for Ascend leave them.

   A line of the program is named where its compiler has left that (-g), by addr2line. */
#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

enum { MOST = 256 }; /* different ones; those beyond are not told */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Refusal {
    char *sentence;
    const void *caller;
    unsigned long more; /* times since */
} told[MOST];
static int count;
static unsigned long untold;
static __thread bool telling;

static bool on_stderr(void)
{
    const char *asked = getenv("OPENACLNN_REFUSALS");
    return asked && strcmp(asked, "1") == 0;
}

struct Search {
    const void *ours;
    const void *found;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
    struct Search *search = argument;
    const void *address = (const void *)_Unwind_GetIP(context);
    Dl_info place;
    if (!address || !dladdr(address, &place))
        return _URC_END_OF_STACK;
    if (place.dli_fbase == search->ours)
        return _URC_NO_REASON;
    search->found = address;
    return _URC_END_OF_STACK;
}

/* Where the program has called the library; null on a thread of the library's own. */
static const void *caller(void)
{
    Dl_info place;
    struct Search search = {0};
    if (dladdr((const void *)(uintptr_t)caller, &place))
        search.ours = place.dli_fbase;
    _Unwind_Backtrace(step, &search);
    return search.found;
}

/* What a command prints. Its end sends no signal, and no wait of the program's takes its status. */
static bool answer_of(char *const words[], char *answer, size_t size)
{
    int ends[2];
    if (pipe(ends))
        return false;
    pid_t child = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(STDERR_FILENO);
        execvp(words[0], words);
        _exit(127);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t read_now = 1; child > 0 && read_now > 0 && length + 1 < size; length += (size_t)read_now)
        read_now = read(ends[0], answer + length, size - 1 - length);
    answer[length < size ? length : size - 1] = 0;
    close(ends[0]);
    return child > 0 && waitpid(child, NULL, __WALL) == child && length > 0;
}

/* Whether the program is linked to lie anywhere: addresses in its file begin at 0 then. */
static bool lies_anywhere(const void *base)
{
    const unsigned char *header = base;
    enum { TYPE = 16, SHARED_OBJECT = 3 };
    return header[TYPE] == SHARED_OBJECT;
}

/* The line of an address as "file.cpp:96"; false where nobody knows. */
static bool line_of(const void *address, char *line, size_t size)
{
    Dl_info place;
    char where[32], answer[4096];
    if (!address || !dladdr(address, &place) || !place.dli_fname)
        return false;
    uintptr_t base = lies_anywhere(place.dli_fbase) ? (uintptr_t)place.dli_fbase : 0;
    snprintf(where, sizeof where, "0x%lx", (unsigned long)((uintptr_t)address - base - 1));
    char *file = realpath("/proc/self/exe", NULL); /* the program's own name may be relative */
    Dl_info own;
    void *entry = dlsym(RTLD_DEFAULT, "main");
    bool is_program = strchr(place.dli_fname, '/') == NULL ||
                      (entry && dladdr(entry, &own) && own.dli_fbase == place.dli_fbase);
    char *words[] = {"addr2line", "-e", is_program && file ? file : (char *)place.dli_fname, where, NULL};
    bool found = answer_of(words, answer, sizeof answer);
    free(file);
    if (!found)
        return false;
    answer[strcspn(answer, " \n")] = 0;
    char *name = strrchr(answer, '/');
    name = name ? name + 1 : answer;
    char *colon = strrchr(name, ':');
    if (!colon || colon[1] < '1' || colon[1] > '9' || *name == '?')
        return false;
    snprintf(line, size, "%s", name);
    return true;
}

static void write_out(int code, const char *sentence, const char *line)
{
    if (on_stderr())
        fprintf(stderr, "openaclnn: %d %s%s%s%s\n", code, sentence, *line ? " (" : "", line,
                *line ? ")" : "");
    log_refusal(code, sentence, line);
}

void refusal_tell(int code, const char *sentence)
{
    if (telling || (!on_stderr() && !log_wants_refusals()))
        return;
    telling = true;
    const void *from = python_hosts() ? NULL : caller();
    pthread_mutex_lock(&lock);
    struct Refusal *known = NULL;
    for (int i = 0; i < count && !known; i++)
        if (told[i].caller == from && strcmp(told[i].sentence, sentence) == 0)
            known = &told[i];
    bool is_new = !known && count < MOST;
    if (known)
        known->more++;
    else if (is_new)
        told[count] = (struct Refusal){strdup(sentence), from, 0};
    else
        untold++;
    if (is_new && told[count].sentence)
        count++;
    pthread_mutex_unlock(&lock);
    if (is_new) {
        char line[512] = "";
        if (!(python_hosts() ? python_line(line, sizeof line) : line_of(from, line, sizeof line)))
            *line = 0;
        write_out(code, sentence, line);
    }
    telling = false;
}

void refusals_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < count; i++)
        told[i].more = 0;
    untold = 0;
}

__attribute__((destructor)) static void at_exit(void)
{
    bool shown = on_stderr();
    for (int i = 0; shown && i < count; i++)
        if (told[i].more)
            fprintf(stderr, "openaclnn: refused %lu more time%s: %s\n", told[i].more,
                    told[i].more == 1 ? "" : "s", told[i].sentence);
    if (shown && untold)
        fprintf(stderr, "openaclnn: %lu other calls were refused\n", untold);
    for (int i = 0; i < count; i++)
        log_count(told[i].more, told[i].sentence);
}
