/* SPDX-License-Identifier: MIT */
#include "client/value.h"

#include "common/units.h"
#include "common/utf8.h"

#include <stdint.h>
#include <string.h>

/* Parameters that are text however much they look like a number. */
static const char *const texts[] = {
	"puzzle", "board", "goal", "algorithm", "heuristic", "notation",
};

static bool is_always_text(const char *key, size_t len)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strlen(texts[i]) == len && memcmp(texts[i], key, len) == 0)
			return true;
	return false;
}

json_t *value_text(const char *what, const char *text, size_t len, struct fault *fault)
{
	json_t *string = json_stringn(text, len);
	if (!string) {
		size_t bad = utf8_check((struct text){text, len});
		if (bad < len)
			fault_set(fault, EXIT_USAGE, "%s is not UTF-8 at byte %zu", what, bad + 1);
		else
			fault_memory(fault);
	}
	return string;
}

int value_setting(json_t *params, const char *setting, struct fault *fault)
{
	const char *equals = strchr(setting, '=');
	size_t len = equals ? (size_t)(equals - setting) : 0;
	char key[64];
	if (len == 0 || len >= sizeof(key))
		return fault_set(fault, EXIT_USAGE, "-o wants KEY=VALUE, not '%s'", setting);
	memcpy(key, setting, len);
	key[len] = '\0';
	if (json_object_get(params, key))
		return fault_set(fault, EXIT_USAGE, "'%s' is given twice", key);

	const char *text = equals + 1;
	const char *digits = text + (*text == '-');
	char reason[128];
	int64_t number;
	json_t *value;
	if (is_always_text(key, len))
		value = value_text(key, text, strlen(text), fault);
	else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		value = json_boolean(text[0] == 't');
	else if (!(digits[0] == '0' && digits[1]) &&
		 units_number(text_of(text), INT64_MIN, INT64_MAX, &number, reason,
			      sizeof(reason)) == 0)
		value = json_integer(number);
	else
		value = value_text(key, text, strlen(text), fault);
	if (!value)
		return -1;
	if (json_object_set_new(params, key, value) < 0)
		return fault_set(fault, EXIT_USAGE, "the key in '%s' is not UTF-8", setting);
	return 0;
}
