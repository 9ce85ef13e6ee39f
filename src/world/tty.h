/* Private to the world room: pseudo-terminals. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

#include "world/world_int.h"

enum { TTY_NOT = 1 };
/* Opens /dev/ptmx, /dev/pts/N or /dev/tty: 0, -errno, or TTY_NOT when the path is none of them. */
int64_t tty_open(struct world *w, struct thread *t, const char *path, int flags,
                 struct file **ret_file);
int64_t tty_open_slave(struct world *w, struct thread *t, int index, int flags,
                       struct file **ret_file);
bool tty_stat(const struct node *node, const char *path, struct stat *st);
size_t tty_list(const struct node *node, int *ret, size_t cap); /* numbers in /dev/pts */
/* The leader of a session ends, or gives its terminal up. */
void tty_session_exit(struct world *w, const struct proc *leader);
