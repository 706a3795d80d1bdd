/* SPDX-License-Identifier: MIT */
#include "common/utf8.h"

size_t utf8_next(struct text text, uint32_t *ret)
{
	/* The least character of each length; a smaller one is an overlong form. */
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

	if (!text.len)
		return 0;
	const unsigned char *byte = (const unsigned char *)text.data;
	if (byte[0] < 0x80) {
		*ret = byte[0];
		return 1;
	}
	size_t len = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
	if (byte[0] < 0xC0 || byte[0] > 0xF7 || text.len < len)
		return 0;
	uint32_t character = byte[0] & (0x7Fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((byte[i] & 0xC0) != 0x80)
			return 0;
		character = character << 6 | (byte[i] & 0x3F);
	}
	if (character < least[len] || character > 0x10FFFF ||
	    (character >= 0xD800 && character <= 0xDFFF))
		return 0;
	*ret = character;
	return len;
}

size_t utf8_check(struct text text)
{
	size_t at = 0, len;
	uint32_t character;
	while ((len = utf8_next((struct text){text.data + at, text.len - at}, &character)))
		at += len;
	return at;
}

size_t utf8_whole(struct text text)
{
	/* Back over at most three bytes that continue a character, to the one that began it. */
	size_t start = text.len;
	while (start > 0 && text.len - start < 3 &&
	       ((unsigned char)text.data[start - 1] & 0xC0) == 0x80)
		start--;
	if (start == 0 || (unsigned char)text.data[start - 1] < 0xC0)
		return text.len;
	start--;
	uint32_t character;
	return utf8_next((struct text){text.data + start, text.len - start}, &character) ? text.len
											 : start;
}

bool utf8_is_control(uint32_t character)
{
	return character < 0x20 || (character >= 0x7F && character < 0xA0) ||
	       (character >= 0x200B && character <= 0x200F) || /* zero width, direction marks */
	       (character >= 0x2028 &&
		character <= 0x202E) || /* separators, embeddings, overrides */
	       (character >= 0x2066 && character <= 0x2069) || /* isolates */
	       character == 0xFEFF;                            /* byte-order mark */
}
