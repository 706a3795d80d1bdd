/* SPDX-License-Identifier: MIT */
#include "client/input.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void input_start(struct input *input, int fd)
{
	input->fd = fd;
	input->error = 0;
	input->ended = false;
	input->at = input->len = 0;
}

int input_peek(struct input *input)
{
	while (input->at == input->len && !input->ended) {
		ssize_t len = read(input->fd, input->block, sizeof(input->block));
		if (len > 0) {
			input->at = 0;
			input->len = (size_t)len;
		} else if (len == 0 || errno != EINTR) {
			input->error = len < 0 ? errno : 0;
			input->ended = true;
		}
	}
	return input->at < input->len ? (unsigned char)input->block[input->at] : -1;
}

int input_byte(struct input *input)
{
	int byte = input_peek(input);
	input->at += byte >= 0;
	return byte;
}

bool input_ready(const struct input *input)
{
	if (input->at < input->len || input->ended)
		return true;
	struct pollfd wait = {.fd = input->fd, .events = POLLIN};
	return poll(&wait, 1, 0) != 0;
}

bool input_line(struct input *input, struct input_line *ret)
{
	ret->len = 0;
	ret->too_long = false;
	int byte = input_byte(input);
	if (byte < 0)
		return false;
	for (; byte >= 0 && byte != '\n' && byte != '\r'; byte = input_byte(input)) {
		if (ret->len < sizeof(ret->text))
			ret->text[ret->len++] = (char)byte;
		else
			ret->too_long = true;
	}
	/* Only what is read already tells CR LF from CR: a line must not wait for the next one. */
	if (byte == '\r' &&
	    (input->at < input->len ? input->block[input->at] == '\n'
				    : input_ready(input) && input_peek(input) == '\n'))
		input->at++;
	return true;
}
