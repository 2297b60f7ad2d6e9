/* The streams of the CPU, for the files that are about them: cpu_stream.c has streams and their
   queues, cpu_event.c events, cpu_capture.c what is recorded to be done again.

   A stream does its work at once, on the thread that asks for it, as long as nothing has to be
   waited for. What may have to wait (a function of the host, an event of a stream that waits) goes
   into the stream's queue, and so does all that comes behind it; a thread works the queue off and
   ends with it. While a stream is captured, its work goes into the capture instead. */
#ifndef OPENACLNN_CPU_STREAM_H
#define OPENACLNN_CPU_STREAM_H

#include "internal.h"

struct Tasks {
    struct Task *first, *last;
};
struct Capture {
    uint64_t id; /* no other capture has it */
    struct Tasks tasks;
    struct Stream *origin; /* where it began, and ends */
};
struct Stream {
    struct Stream *next;     /* among all; a stream that was destroyed stays, to be used again */
    struct Tasks queue;
    unsigned pending;        /* tasks in the queue, the one at work, and 1 for a capture */
    bool working;            /* has a thread: never two, or work would not stay in order */
    bool destroyed, stops;   /* stops: what comes behind an error is not done */
    int error;               /* of what was queued, not yet told */
    char *reason;
    struct Capture *capture; /* that its work goes into */
    bool apart;              /* has captured work that no other stream has waited for */
};

/* One lock for all streams and events; a wait under it ends with false when the time is over. */
void cpu_streams_lock(void);
bool cpu_streams_wait(int64_t end);
/* Wake who waits: something is done. */
void cpu_streams_wake(void);
/* When a wait of so many milliseconds ends, and what time it is, in nanoseconds; -1: never. */
int64_t cpu_end_of(int32_t timeout_ms);
int64_t cpu_now(void);
struct Stream *cpu_stream_of(uint64_t number);
/* All streams, by their `next`. */
struct Stream *cpu_streams(void);
void cpu_append(struct Tasks *tasks, struct Task *task);
void cpu_drop_all(struct Tasks *tasks);

/* cpu_capture.c */

/* A stream waits for an event that another recorded in a capture: it takes part from now on. */
int cpu_capture_join(struct Stream *stream, uint64_t capture, struct Stream *from);
/* A stream that ends takes part in no capture. */
void cpu_capture_leave(struct Stream *stream);

#endif
