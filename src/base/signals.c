/* SPDX-License-Identifier: MIT */
#include "base/signals.h"
#include <errno.h>
#include <time.h>

static const int of_writing[] = {SIGPIPE, SIGXFSZ};
enum { N_OF_WRITING = sizeof of_writing / sizeof *of_writing };

cairn_signals cairn_signals_hold(void)
{
    cairn_signals held;
    sigset_t hold;
    sigemptyset(&hold);
    for (int i = 0; i < N_OF_WRITING; i++) sigaddset(&hold, of_writing[i]);
    sigpending(&held.waiting);
    pthread_sigmask(SIG_BLOCK, &hold, &held.mask);
    return held;
}

void cairn_signals_back(cairn_signals *held)
{
    int failure = errno;
    sigset_t waiting;
    sigpending(&waiting);
    for (int i = 0; i < N_OF_WRITING; i++)
        if (sigismember(&waiting, of_writing[i]) && !sigismember(&held->waiting, of_writing[i])) {
            /* Take away a signal that came meanwhile, so that the mask can go without its being
             * delivered. */
            int number = of_writing[i];
            const struct timespec now = {0, 0};
            sigset_t one;
            sigemptyset(&one);
            sigaddset(&one, number);
            while (sigtimedwait(&one, NULL, &now) < 0 && errno == EINTR) {
            }
        }
    pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
    errno = failure;
}
