/* SPDX-License-Identifier: MIT */
/* A helper waits for its own semaphore, does its share and counts itself off; the last one to do so
 * tells the calling thread. Whoever waits looks for a moment before it sleeps, since pieces of work
 * often follow each other closely.
 *
 * Helpers block signals, so that the handlers of the program run in its own threads; those that a
 * thread causes itself (a bad address) stay as they are. */
#include "parallel/team.h"
#include "base/call.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Looks before sleeping, some tens of microseconds; and the stack of a helper, which recursion over
 * deep trees needs to be that of a main thread. */
enum { LOOKS = 2000, STACK = 8 << 20 };

typedef struct team_helper {
    struct cairn_team *team;
    int worker;
    pthread_t thread;
    sem_t wake;
} team_helper;

typedef struct cairn_team {
    pid_t process; /* that started the helpers; a child of it has none */
    int n_helpers;
    bool no_more; /* the system refused one */
    bool ends;
    bool own_block; /* not inside the context */
    int in_use;     /* atomic */
    cairn_team_function function;
    void *data;
    int n_workers; /* of the work at hand */
    int busy;      /* atomic: helpers that are not done */
    sem_t done;
    team_helper helpers[CAIRN_MOST_WORKERS - 1];
} cairn_team;

_Static_assert(sizeof(cairn_team) <= CAIRN_TEAM_SIZE, "a context has room for its team");

static void wait_for(sem_t *sign)
{
    for (int looks = 0; looks < LOOKS; looks++) {
        if (sem_trywait(sign) == 0) return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    while (sem_wait(sign) != 0 && errno == EINTR) {
    }
}

static void *help(void *data)
{
    team_helper *helper = data;
    cairn_team *team = helper->team;
    cairn_arithmetic_standard();
    for (;;) {
        wait_for(&helper->wake);
        if (team->ends) return NULL;
        team->function(team->data, helper->worker, team->n_workers);
        if (__atomic_sub_fetch(&team->busy, 1, __ATOMIC_ACQ_REL) == 0) sem_post(&team->done);
    }
}

/* Start one more helper, with the signals of this thread blocked meanwhile, as it inherits them. */
static bool start_helper(cairn_team *team, const pthread_attr_t *attributes)
{
    static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    team_helper *helper = &team->helpers[team->n_helpers];
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own_faults / sizeof *own_faults; i++)
        sigdelset(&blocked, own_faults[i]);
    *helper = (team_helper){.team = team, .worker = team->n_helpers + 1};
    if (sem_init(&helper->wake, 0, 0)) return false;
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    bool started = pthread_create(&helper->thread, attributes, help, helper) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        team->n_helpers++;
    else
        sem_destroy(&helper->wake);
    return started;
}

/* As many helpers as are wanted, or as the system gives. */
static void start_helpers(cairn_team *team, int wanted)
{
    pthread_attr_t attributes;
    if (team->n_helpers >= wanted || team->no_more || pthread_attr_init(&attributes)) return;
    (void)pthread_attr_setstacksize(&attributes, STACK);
    while (team->n_helpers < wanted && !team->no_more)
        team->no_more = !start_helper(team, &attributes);
    pthread_attr_destroy(&attributes);
}

/* The helpers of another process cannot be waited for: what is left of them is memory. */
static void end_team(void *data)
{
    cairn_team *team = data;
    if (team->process == getpid()) {
        team->ends = true;
        for (int i = 0; i < team->n_helpers; i++) sem_post(&team->helpers[i].wake);
        for (int i = 0; i < team->n_helpers; i++) {
            pthread_join(team->helpers[i].thread, NULL);
            sem_destroy(&team->helpers[i].wake);
        }
        sem_destroy(&team->done);
    }
    if (team->own_block) cairn_free(team);
}

cairn_status cairn_team_make(cairn_context *child)
{
    cairn_team *team;
    CHECK(NEW(child, &team, 1));
    team->own_block = true;
    child->team = team;
    child->end_team = end_team;
    return CAIRN_OK;
}

/* The team of this context in this process; a child process begins anew. */
static cairn_team *team_of(cairn_context *ctx)
{
    cairn_team *team = ctx->team;
    if (!team || (ctx->end_team && team->process == getpid())) return team;
    bool own_block = team->own_block;
    memset(team, 0, sizeof *team);
    team->own_block = own_block;
    team->process = getpid();
    team->no_more = sem_init(&team->done, 0, 0) != 0;
    ctx->end_team = end_team;
    return team;
}

/* Whoever finds the helpers at work, as a call out of a callback may, does the work alone. */
static bool take_team(cairn_team *team)
{
    return !__atomic_exchange_n(&team->in_use, 1, __ATOMIC_ACQUIRE);
}

void cairn_team_run(cairn_context *ctx, int workers, cairn_team_function function, void *data)
{
    cairn_team *team = workers > 1 ? team_of(ctx) : NULL;
    if (!team || !take_team(team)) {
        function(data, 0, 1);
        return;
    }
    int wanted = (workers < CAIRN_MOST_WORKERS ? workers : CAIRN_MOST_WORKERS) - 1;
    start_helpers(team, wanted);
    int helpers = team->n_helpers < wanted ? team->n_helpers : wanted;
    team->function = function;
    team->data = data;
    team->n_workers = helpers + 1;
    team->busy = helpers;
    for (int i = 0; i < helpers; i++) sem_post(&team->helpers[i].wake);
    function(data, 0, helpers + 1);
    if (helpers > 0) wait_for(&team->done);
    __atomic_store_n(&team->in_use, 0, __ATOMIC_RELEASE);
}
