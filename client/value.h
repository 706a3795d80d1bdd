/* SPDX-License-Identifier: MIT */
/* value: what is written on the command line, as JSON. */
#ifndef CLIENT_VALUE_H
#define CLIENT_VALUE_H

#include "client/fault.h"

#include <jansson.h>
#include <stddef.h>

/*
 * Sets the key of `key=value` in `params`, with the JSON type that the value looks like: `true` and
 * `false` are booleans, `-?(0|[1-9][0-9]*)` is an integer if it fits 64 bits, everything else is
 * text (so `0123` is).  Boards and names are always text.  Returns 0, or -1 with *fault: no key, or
 * one that is set already.
 */
int value_setting(json_t *params, const char *setting, struct fault *fault);

/* Text as a JSON string, or NULL with *fault: not UTF-8 (`what` names it), or no memory. */
json_t *value_text(const char *what, const char *text, size_t len, struct fault *fault);

#endif
