/* SPDX-License-Identifier: MIT */
/* landlock: which files the kernel lets this process reach, through Landlock (Linux 5.13 and
 * later). */
#ifndef WORKER_LANDLOCK_H
#define WORKER_LANDLOCK_H

#include <stddef.h>

enum landlock_right {
	LANDLOCK_READ,   /* files are opened for reading (and so mapped as code) */
	LANDLOCK_LIST,   /* and folders looked through */
	LANDLOCK_STORE,  /* also for writing; made, renamed and removed in the folder */
	LANDLOCK_REPLACE /* renamed and removed in the folder, nothing is opened */
};

struct landlock_place {
	const char
		*path; /* a file, or a folder with all below it; nothing, where it is not there */
	enum landlock_right right;
};

/*
 * From now on only these places can be reached, by nothing but what is said; no port of TCP; no
 * abstract socket of others, and no signal goes to them.  What the kernel does not know yet is left
 * out.  It is for good, a second call only takes away, and what is open stays open.  The process
 * must have no_new_privs. 1; 0: this kernel has no Landlock, or does not let us; or a negative
 * errno.
 */
int landlock_confine(const struct landlock_place *places, size_t count);

#endif
