/* The environment, read in one place: what is asked here is what the manual page lists. */
#pragma once

/* The value of a variable; NULL when it is not set, or empty. */
const char *env_text(const char *name);
/* The same; an empty value is one. */
const char *env_get(const char *name);
/* All of it, as for execve: "NAME=value", then NULL. */
char **env_all(void);
/* Gives a variable a value, for this process and those that it starts. */
void env_set(const char *name, const char *value);
