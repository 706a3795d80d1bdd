/* SPDX-License-Identifier: MIT */
/* member: what a reply holds under a key. */
#ifndef CLIENT_MEMBER_H
#define CLIENT_MEMBER_H

#include <jansson.h>

/* The member's text, owned by `object`; NULL where there is none, or it is no string. */
static inline const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

#endif
