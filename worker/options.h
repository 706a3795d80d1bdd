/* SPDX-License-Identifier: MIT */
/* options: a plugin's typed options: the schema, and values that users gave. */
#ifndef WORKER_OPTIONS_H
#define WORKER_OPTIONS_H

#include "common/errors.h"
#include "common/wire.h"
#include "puzzled/plugin.h"

#include <stdint.h>

/* The name of a type, as users read it: "bool", "int", "text", "choice". */
const char *option_type_name(enum pz_type type);

/*
 * Parses a value of the option.  0 and *ret, whose text is `value`; or -1 and *error, whose
 * sentence names the option and what it may be.
 */
int option_parse(const struct pz_option *option, struct text value, enum wire_option_form form,
		 struct pz_value *ret, struct error *error);

/* The plugin's defaults, one a `values`.  -1: *error says which default is none. */
int options_default(const struct pz_option *options, uint32_t count, struct pz_value *values,
		    struct error *error);

/*
 * Sets in `values` what `given` says, for options that belong to `scope`.  -1 and *error: an
 * unknown option, one of another scope, one given twice, a bad value.  The sentence names it; for
 * an unknown one it lists what there is.  *ret_bad is then the index in `given`.
 */
int options_set(const struct pz_option *options, uint32_t count, enum pz_scope scope,
		const struct wire_option *given, uint32_t given_count, struct pz_value *values,
		uint32_t *ret_bad, struct error *error);

#endif
