/* SPDX-License-Identifier: MIT */
/*
 * vigil: whether a worker that has nothing to do waits for its next frame awake.
 *
 * A process that sleeps is dear to wake: on the same core it takes more than a short job, from
 * another core, in a virtual machine, twenty times that.  So a worker goes on looking for its next
 * frame for VIGIL_US before it sleeps, as the KVM hypervisor does before it halts a processor
 * (Documentation/virt/kvm/halt-polling.rst).
 *
 * After the first look it leaves the core to whoever waits for it: where all share one core, the
 * frame is there when they are done.  Then it keeps the core, which makes the scheduler find the
 * others another one, and they stay together there.  From VIGIL_YIELD_US on it gives way after each
 * look, lest somebody who has no other core wait for long.
 *
 * That pays only where the next frame comes in this time.  So it is tried for VIGIL_TRIAL waits,
 * long enough for the scheduler to find the others another core.  If most of them end with a frame
 * it goes on; else the worker sleeps through as many waits, then twice as many, up to
 * VIGIL_PAUSE_MAX, before it tries again.  Where requests are rare, it so costs less than a
 * microsecond of a request.
 *
 * It only decides; times are clock_ns().
 */
#ifndef WORKER_VIGIL_H
#define WORKER_VIGIL_H

#include "common/limits.h"
#include "worker/clock.h"

#include <stdbool.h>
#include <stdint.h>

enum { VIGIL_TRIAL = 64, VIGIL_PAUSE_MAX = 128 * VIGIL_TRIAL, VIGIL_YIELD_US = VIGIL_US / 2 };

/* All zero: nothing is known yet. */
struct vigil {
	uint64_t began;
	bool looked; /* and found nothing, at least once */
	unsigned kept,
		met;    /* waits of this trial so far, and how many of them ended with a frame */
	unsigned pause; /* waits to sleep through after the last trial */
	unsigned rest;  /* of these, still to come */
};

/* A wait begins.  Whether it is to be one awake: then vigil_end must follow. */
bool vigil_begin(struct vigil *vigil, uint64_t now);

/* A look has found nothing.  What to do now: sleep; look again; or look again after sched_yield. */
enum vigil_step { VIGIL_SLEEP, VIGIL_LOOK, VIGIL_YIELD };
enum vigil_step vigil_step(struct vigil *vigil, uint64_t now);

/* The wait awake has ended, with a frame or without.  One that was there at the first look says
 * nothing. */
void vigil_end(struct vigil *vigil, bool found, uint64_t now);

#endif
