/* Private to the world room: where the instructions of x86-64 code end. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes of the first instruction; 0 when it is none, or does not end within n bytes. */
size_t x86_length(const uint8_t *code, size_t n);
