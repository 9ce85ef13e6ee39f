/* The seccomp filter. */
#pragma once

#include <stdint.h>

#include <linux/filter.h>

enum { FILTER_MOST = 1200 };
/* Writes the filter for the rules; returns its number of instructions. */
uint16_t filter_build(const uint8_t *rules, struct sock_filter out[FILTER_MOST]);
