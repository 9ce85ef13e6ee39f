/* The environment. */
#include "base/env.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

const char *env_get(const char *name)
{
    return getenv(name); /* NOLINT(concurrency-mt-unsafe): nobody writes it */
}

const char *env_text(const char *name)
{
    const char *text = env_get(name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

char **env_all(void)
{
    return environ;
}

void env_set(const char *name, const char *value)
{
    (void)setenv(name, value, 1);
}
