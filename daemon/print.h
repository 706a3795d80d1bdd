/* SPDX-License-Identifier: MIT */
/*
 * print: compact JSON, written straight into a buffer.
 *
 * A member is put with its name and a comma after its value; print_end replaces the last comma by
 * the closing bracket.  So there is no state but the bytes.
 */
#ifndef DAEMON_PRINT_H
#define DAEMON_PRINT_H

#include "common/buf.h"
#include "common/text.h"

#include <stdbool.h>
#include <stdint.h>

/* A string with its quotes.  Bytes that are not UTF-8 come out as U+FFFD. */
void print_string(struct buf *out, struct text text);

/* `"name":`.  The name is a literal of ours and needs no escapes. */
void print_name(struct buf *out, const char *name);

/* `"name":value,` */
void print_text_member(struct buf *out, const char *name, struct text text);
void print_uint_member(struct buf *out, const char *name, uint64_t number);
void print_int_member(struct buf *out, const char *name, int64_t number);
void print_bool_member(struct buf *out, const char *name, bool yes);

/* Ends what began with `{` or `[`: takes a comma at the end away and puts the bracket. */
void print_end(struct buf *out, char bracket);

#endif
