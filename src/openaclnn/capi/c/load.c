/* What happens when the library is loaded. */
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A forked child has one thread, and must find every lock free. */
static void before_fork(void)
{
    python_before_fork();
    devices_lock();
    handles_lock();
    blocks_lock();
    reports_lock();
    cpu_streams_lock();
}

static void unlock(bool forked)
{
    cpu_streams_unlock(forked);
    reports_unlock(forked);
    blocks_unlock();
    handles_unlock();
    devices_unlock();
}

static void in_parent(void)
{
    unlock(false);
    python_after_fork(false);
}

static void in_child(void)
{
    unlock(true);
    work_in_child();
    python_after_fork(true);
    refusals_in_child();
    record_in_child();
}

__attribute__((constructor)) static void at_load(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
    /* "openaclnn run" asks for this: what a program printed into a pipe before it crashed is kept */
    if (getenv("OPENACLNN_LINE_BUFFERED"))
        setvbuf(stdout, NULL, _IOLBF, 0);
    record_start();
}
