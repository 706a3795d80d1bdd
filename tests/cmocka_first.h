/* SPDX-License-Identifier: MIT */
/* cmocka, and the headers that it wants before it. */
#ifndef TESTS_CMOCKA_FIRST_H
#define TESTS_CMOCKA_FIRST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
