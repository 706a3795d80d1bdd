/* SPDX-License-Identifier: MIT */
/*
 * limits: every bound there is, its value, and what happens at it.
 *
 * LIMIT_* are fixed.  DEFAULT_* are what a key of the configuration is when nobody sets it; the
 * least and the most of each key stand in the table of daemon/config.c.
 */
#ifndef COMMON_LIMITS_H
#define COMMON_LIMITS_H

/* clang-format off */
enum {
	/* ---- a request ---- */
	LIMIT_ID = 128,               /* bytes of an id that is a string: past it, an invalid request */
	LIMIT_DEPTH = 32,             /* nesting of JSON: past it, a parse error */
	LIMIT_VALUES_EXTRA = 256,     /* JSON values of a line beyond max_boards: past it, a parse error */
	LIMIT_BOARD = 4096,           /* bytes of a board or a goal (PZ_BOARD_MAX): past it, invalid_board */
	LIMIT_PATH = 4096,            /* moves of a solution (PZ_PATH_MAX) */
	LIMIT_JOB_OPTIONS = 16,       /* plugin's options in one request: past it, invalid params */
	LIMIT_OPTION = 256,           /* bytes of an option's value: past it, invalid params */
	LIMIT_SLICE = 64,             /* boards in one job: longer lists are cut into several */

	/* ---- a name ---- */
	LIMIT_NAME = 32,              /* bytes of a puzzle's, option's, algorithm's name, NUL included (PZ_NAME_MAX) */
	LIMIT_REASON = 256,           /* bytes of a reason from a plugin, NUL included (PZ_REASON_MAX) */

	/* ---- a session ---- */
	LIMIT_ACCEPT_TURN = 16,       /* connections accepted in one turn of the loop */
	LIMIT_REFUSED = 8,            /* refused connections of one user that are kept until they have read why */
	LIMIT_INPUT_TURN = 256 * 1024, /* bytes read from one session in one turn of the loop */
	LIMIT_CONTROL_REPLY = 1024 * 1024, /* unsent reply bytes past which a session is not read */

	/* ---- a worker ---- */
	LIMIT_CREDIT = 64,            /* frames a worker may hold while its jobs are short */
	LIMIT_FRAME_UP = 4 * 1024 * 1024, /* bytes of one frame from a worker: past it, it is killed */
	LIMIT_FRAME_DOWN = 512 * 1024, /* bytes of one frame to a worker */
	LIMIT_REQUEUES = 3,           /* times a job comes back because its worker died on another */
	LIMIT_CHATTER = 64,           /* frames in CHATTER_MS that nobody asked for: past it, it is not read for as long */
	LIMIT_OUTPUT_TURN = 64 * 1024, /* bytes that it prints, read in CHATTER_MS: past it, they wait in the pipe */
	LIMIT_STDERR_LINES = 20,      /* lines a worker may print in a second: past it, they are counted */
	LIMIT_STDERR_LINE = 512,      /* bytes of one: past it, it is cut */

	/* ---- the daemon ---- */
	LIMIT_PUZZLES = 64,           /* sections in the configuration: past it, a configuration error */
	LIMIT_WORKERS = 64,           /* workers of one puzzle: past it, a configuration error */
	LIMIT_DESCRIPTORS = 32,       /* descriptors kept back for workers and the listener's own needs */
	LIMIT_CONFIG_LINE = 1024,     /* bytes of a configuration line: past it, a configuration error */
	LIMIT_CONFIG_FILE = 1024 * 1024, /* bytes of the file: past it, a configuration error */
	LIMIT_CONFIG_OPTIONS = 32,    /* plugin's options of one puzzle: past it, a configuration error */
	LIMIT_LOG_LINE = 2048,        /* bytes of a log line, below PIPE_BUF: past it, fields are left out */
	LIMIT_LOG_VALUE = 512,        /* bytes of a value in it, as printed: past it, it is cut */

	/* ---- what a configuration key is without being set ---- */
	DEFAULT_TIMEOUT_MS = 30 * 1000,
	DEFAULT_GRACE_MS = 500,       /* from CANCEL to SIGKILL */
	DEFAULT_DRAIN_MS = 20 * 1000, /* from SIGTERM to the end of what is still running */
	DEFAULT_OPEN_MS = 10 * 1000,  /* from fork to HELLO */
	DEFAULT_MAX_LINE = 1024 * 1024,
	DEFAULT_MAX_BOARDS = 10000,
	DEFAULT_MAX_SESSIONS = 1024,
	DEFAULT_MAX_QUEUE = 100 * 1000, /* boards waiting, of all sessions: past it, busy */
	DEFAULT_SESSION_JOBS = 256,   /* requests of one session in flight: past it, it is not read */
	DEFAULT_MAX_REPLY = 64 * 1024 * 1024, /* reply bytes owed to one session: past it, it is not read */
	DEFAULT_MEMORY = 256 * 1024 * 1024,
	DEFAULT_WORKERS = 2,
	DEFAULT_USER_SESSIONS = 512,  /* sessions of one user: past it, quota */
	DEFAULT_USER_JOBS = 16384,    /* requests of one user in flight: past it, quota */
	DEFAULT_USER_CRASHES = 10,    /* of workers, by one user's boards, in CRASH_WINDOW_MS */

	/* ---- times that are not set by anybody ---- */
	RECALL_MS = 5,                /* a running job's age at which unbegun frames are called back */
	SHORT_JOB_US = 200,           /* mean below which a worker gets LIMIT_CREDIT frames */
	VIGIL_US = 100,              /* that an idle worker looks for its next frame before it sleeps */
	AWAKE_US = 20,                /* that the daemon looks for an answer before it sleeps, if the worker is awake */
	CHATTER_MS = 10,              /* in which what a worker says unasked is counted, and after which it may go on */
	PROGRESS_MS = 100,            /* between two progress notifications of one request */
	BACKOFF_FIRST_MS = 100,       /* wait after a worker failed, doubled each time */
	BACKOFF_LAST_MS = 10 * 1000,
	CRASH_WINDOW_MS = 60 * 1000,  /* how long a user's crashes are counted together */
	ACCEPT_RETRY_MS = 100,        /* pause of the listener when descriptors have run out */
	READY_MS = 5 * 1000,          /* that the service manager waits for plugins to start: then it is told READY all the same */
	SEARCH_BEFORE_TABLE_MS = 100, /* search of algorithm=auto while the table is being built */
};
/* clang-format on */

#endif
