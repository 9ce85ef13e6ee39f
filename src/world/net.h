/* Private to the world room: addresses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "world/world_int.h"

uint32_t addr_v4(const struct addr *a); /* 0 when it is not IPv4 */
bool addr_is_any(const struct addr *a);
bool addr_is_loopback(const struct addr *a);
struct addr addr_of_node(const struct node *node, bool v6);
