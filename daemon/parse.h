/* SPDX-License-Identifier: MIT */
/*
 * parse: JSON text to jansson's values.
 *
 * jansson's own reader fetches each byte by a callback and copies each token twice: 19,000 instructions for a
 * request of 94 bytes, half of what the daemon did for it.  This one takes what is plain from where it
 * stands.  It accepts and refuses the same texts, which the tests hold it to, and besides bounds their depth and
 * their number of values while it reads: no tree is made that would be too large.
 */
#ifndef DAEMON_PARSE_H
#define DAEMON_PARSE_H

#include "common/errors.h"
#include "common/text.h"

#include <jansson.h>

/*
 * Reads a text that is one JSON value in strict UTF-8: no member twice in an object, no U+0000, integers within 64
 * bits; at most LIMIT_DEPTH arrays and objects in each other and `max_values` values.  A new reference, or NULL with
 * *ret_error.
 */
json_t *parse_json(struct text text, size_t max_values, struct error *ret_error);

#endif
