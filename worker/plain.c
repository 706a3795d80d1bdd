/* SPDX-License-Identifier: MIT */
#include "worker/plain.h"

#include "common/utf8.h"

size_t plain_copy(char *ret, size_t cap, struct text text)
{
	static const char cut[] = "...";
	size_t len = 0;    /* written */
	size_t length = 0; /* the longest that leaves room for `cut` */
	while (text.len) {
		uint32_t character;
		size_t size = utf8_next(text, &character);
		bool good = size && !utf8_is_control(character);
		const char *from = good ? text.data : "?";
		size_t take = good ? size : 1;
		if (len + take >= cap) {
			memcpy(ret + length, cut, sizeof(cut));
			return length + sizeof(cut) - 1;
		}
		memcpy(ret + len, from, take);
		len += take;
		if (len + sizeof(cut) <= cap)
			length = len;
		text.data += size ? size : 1;
		text.len -= size ? size : 1;
	}
	ret[len] = '\0';
	return len;
}

struct plain plain_quote(struct text text)
{
	struct plain plain = {"\""};
	size_t len = plain_copy(plain.text + 1, sizeof(plain.text) - 2, text);
	memcpy(plain.text + 1 + len, "\"", 2);
	return plain;
}

bool plain_check(struct text text, bool lines)
{
	while (text.len) {
		uint32_t character;
		size_t size = utf8_next(text, &character);
		if (!size || (utf8_is_control(character) && !(lines && character == '\n')))
			return false;
		text.data += size;
		text.len -= size;
	}
	return true;
}
