/* SPDX-License-Identifier: MIT */
/* no_symbol: a shared object that is no plugin. */
#include "puzzled/plugin.h"

PZ_EXPORT extern const int pz_plugins;
const int pz_plugins = 1;
