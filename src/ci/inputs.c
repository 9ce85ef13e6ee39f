/* What a job reads, by contents: the words of its command that name files, and what these name in
 * turn. Specifications are read as a check reads them, so that a module which another one now hides
 * is a change, too. Of TOML files every text counts that names a file; of programs also the
 * libraries that the system's loader would take, and of scripts the interpreter. What programs read
 * while they run cannot be seen: jobs name it by `inputs`. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/limits.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/toml.h"
#include "base/vec.h"
#include "ci/ci.h"
#include "ci/ci_int.h"
#include "job/load.h"
#include "syntax/source.h"

enum { TOML_MAX_BYTES = 4 << 20, CHUNK = 1 << 16, FILES_MAX = 100000 };

struct ci_inputs {
    struct ci *ci;
    struct strmap hashes; /* of a path: its digits (arena) */
    struct strmap libs;   /* of a program: NULL-terminated array of paths (arena) */
    char *chunk;
    /* of the job at hand */
    struct strmap seen;
    const char **dirs; /* for modules */
    size_t n_dirs;
    VEC(struct ci_input) found;
};

const char *ci_path(struct arena *arena, const char *dir, const char *path)
{
    return path[0] == '/' || strcmp(dir, ".") == 0 ? path : path_join(arena, dir, path);
}

struct ci_inputs *ci_inputs_new(struct ci *ci)
{
    size_t cap = 0, bytes = 0;
    struct ci_inputs *inputs = vec_grow(NULL, &cap, 1, sizeof *inputs);
    *inputs = (struct ci_inputs){.ci = ci, .chunk = vec_grow(NULL, &bytes, CHUNK, 1)};
    return inputs;
}

void ci_inputs_free(struct ci_inputs *inputs)
{
    if (inputs != NULL) {
        strmap_done(&inputs->hashes);
        strmap_done(&inputs->libs);
        strmap_done(&inputs->seen);
        VEC_DONE(&inputs->found);
        vec_release(inputs->chunk);
        vec_release(inputs);
    }
}

/* ---- hashes ---- */

static void digits(uint64_t a, uint64_t b, char ret[CI_KEY + 1])
{
    (void)snprintf(ret, CI_KEY + 1, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

void ci_hash(struct str text, char ret[CI_KEY + 1])
{
    digits(hash_bytes(text.p, text.n, 1), hash_bytes(text.p, text.n, 2), ret);
}

/* Of a file's contents; NULL: it cannot be read. */
static const char *hash_of(struct ci_inputs *in, const char *path)
{
    struct arena *arena = &in->ci->arena;
    const char *known = strmap_get(&in->hashes, str_of(path));
    if (known != NULL) {
        return known;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    uint64_t a = 1, b = 2;
    ssize_t n = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? 1 : -1;
    while (n > 0) {
        n = read(fd, in->chunk, CHUNK);
        if (n > 0) {
            a = hash_bytes(in->chunk, (size_t)n, a);
            b = hash_bytes(in->chunk, (size_t)n, b);
        }
        n = n < 0 && errno == EINTR ? 1 : n;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    if (n < 0) {
        return NULL;
    }
    char *ret = ARENA_ARRAY(arena, char, CI_KEY + 1);
    digits(a, b, ret);
    (void)strmap_put(&in->hashes, str_dup(arena, str_of(path)), ret);
    return ret;
}

static void add(struct ci_inputs *in, const char *what, const char *value)
{
    struct arena *arena = &in->ci->arena;
    struct ci_input input = {str_dup(arena, str_of(what)).p, str_dup(arena, str_of(value)).p};
    VEC_PUSH(&in->found, input);
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool ends(const char *path, const char *with)
{
    size_t n = strlen(path), k = strlen(with);
    return n > k && strcmp(path + n - k, with) == 0;
}

static void add_file(struct ci_inputs *in, const char *path);

/* ---- programs ---- */

/* The loader that a program names; empty: it is static, or no program. */
static void interpreter_of(const char *path, char ret[PATH_MAX])
{
    Elf64_Ehdr head;
    ret[0] = '\0';
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head &&
                memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64;
    for (unsigned i = 0; good && i < head.e_phnum; i++) {
        Elf64_Phdr part;
        off_t at = (off_t)(head.e_phoff + (uint64_t)i * sizeof part);
        if (pread(fd, &part, sizeof part, at) != (ssize_t)sizeof part) {
            break;
        }
        if (part.p_type == PT_INTERP && part.p_filesz < PATH_MAX &&
            pread(fd, ret, part.p_filesz, (off_t)part.p_offset) == (ssize_t)part.p_filesz) {
            ret[part.p_filesz] = '\0';
            break;
        }
    }
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* What `loader --list program` says: lines with "=> /path (0x...)". It only runs the loader. */
static void list_libraries(struct ci_inputs *in, const char *loader, const char *path,
                           struct strbuf *out)
{
    struct arena *arena = &in->ci->arena;
    char *argv[] = {arena_printf(arena, "%s", loader), arena_printf(arena, "--list"),
                    arena_printf(arena, "%s", path), NULL};
    posix_spawn_file_actions_t actions;
    int ends_of[2];
    pid_t pid = -1;
    if (pipe2(ends_of, O_CLOEXEC) != 0) {
        return;
    }
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends_of[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(&pid, loader, &actions, NULL, argv, env_all());
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends_of[1]);
    for (ssize_t n = 1; failed == 0 && n > 0;) {
        n = read(ends_of[0], in->chunk, CHUNK);
        strbuf_add(out, in->chunk, n > 0 ? (size_t)n : 0);
        n = n < 0 && errno == EINTR ? 1 : n;
    }
    (void)close(ends_of[0]);
    int status = 0;
    while (failed == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
}

static const char **libraries(struct ci_inputs *in, const char *path)
{
    struct arena *arena = &in->ci->arena;
    const char **known = (const char **)strmap_get(&in->libs, str_of(path));
    if (known != NULL) {
        return known;
    }
    char loader[PATH_MAX];
    SCOPED_STRBUF text = {0};
    VEC(const char *) libs = {0};
    interpreter_of(path, loader);
    if (loader[0] != '\0') {
        list_libraries(in, loader, path, &text);
    }
    for (const char *at = strbuf_cstr(&text); (at = strchr(at, '/')) != NULL;) {
        size_t n = strcspn(at, " \n");
        VEC_PUSH(&libs, arena_strndup(arena, at, n));
        at += n;
    }
    known = ARENA_ARRAY(arena, const char *, libs.n + 1);
    for (size_t i = 0; i < libs.n; i++) {
        known[i] = libs.v[i];
    }
    VEC_DONE(&libs);
    (void)strmap_put(&in->libs, str_dup(arena, str_of(path)), (void *)known);
    return known;
}

/* A file of the PATH; NULL: there is none of this name. */
static const char *in_path(struct ci_inputs *in, const char *name)
{
    const char *path = env_text("PATH");
    while (path != NULL && *path != '\0') {
        size_t n = strcspn(path, ":");
        const char *file = arena_printf(&in->ci->arena, "%.*s/%s", (int)n, path, name);
        if (n != 0 && is_file(file) && access(file, X_OK) == 0) {
            return file;
        }
        path += n + (path[n] == ':');
    }
    return NULL;
}

/* Its libraries, or its interpreter. */
static void add_program(struct ci_inputs *in, const char *path)
{
    char line[256];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    if (n > 4 && memcmp(line, ELFMAG, SELFMAG) == 0) {
        for (const char **lib = libraries(in, path); *lib != NULL; lib++) {
            add_file(in, *lib);
        }
        return;
    }
    if (n <= 2 || memcmp(line, "#!", 2) != 0) {
        return;
    }
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    struct str rest = str_of(line + 2);
    for (int more = 1; more > 0;) { /* #!/usr/bin/env python3 */
        SCOPED_STRBUF word = {0};
        more = command_word(&rest, &word);
        const char *file = strbuf_cstr(&word);
        file = more > 0 && strchr(file, '/') == NULL ? in_path(in, file) : file;
        if (more > 0 && file != NULL && is_file(file)) {
            add_file(in, file);
        }
    }
}

/* ---- specifications ---- */

static void add_modules(struct ci_inputs *in, const char *path)
{
    struct spec spec;
    struct err err = {0};
    struct spec_options options = {.path = path, .dirs = in->dirs, .ndir = in->n_dirs};
    job_spec_init(&spec, &options);
    if (job_spec_program(&spec, &err) != SPEC_OK) {
        err.code = ERR_OK; /* the job will say it; what was read so far counts */
    }
    for (size_t i = 0; i < spec.sources.n; i++) {
        if (!spec.sources.v[i]->builtin) {
            add_file(in, spec.sources.v[i]->path);
        }
    }
    job_spec_done(&spec);
    const char *config = arena_printf(&in->ci->arena, "%.*s.cfg", (int)strlen(path) - 4, path);
    if (is_file(config)) {
        add_file(in, config);
    }
}

/* ---- texts that name files ---- */

/* A word, as it may stand in a cluster file: {dir}, @ in front. */
static void add_word(struct ci_inputs *in, const char *dir, struct str word, bool program)
{
    SCOPED_STRBUF text = {0};
    while (word.n > 0 && word.p[0] == '@') {
        word = (struct str){word.p + 1, word.n - 1};
    }
    for (size_t i = 0; i < word.n; i++) {
        if (word.n - i >= 5 && memcmp(word.p + i, "{dir}", 5) == 0) {
            strbuf_adds(&text, dir);
            i += 4;
        } else {
            strbuf_addc(&text, word.p[i]);
        }
    }
    const char *plain = strbuf_cstr(&text);
    if (text.n == 0 || text.n >= PATH_MAX || strlen(plain) != text.n) {
        return;
    }
    bool ours = word.n >= 5 && memcmp(word.p, "{dir}", 5) == 0;
    const char *path =
        ours ? str_dup(&in->ci->arena, strbuf_str(&text)).p
             : ci_path(&in->ci->arena, dir, str_dup(&in->ci->arena, strbuf_str(&text)).p);
    if (is_file(path)) {
        add_file(in, path);
    } else if (program && strchr(plain, '/') == NULL) {
        const char *found = in_path(in, plain);
        if (found != NULL) {
            add_file(in, found);
        }
    }
}

/* The whole text, and what stands in it between blanks, quotes, '=' and the like. */
static void add_text(struct ci_inputs *in, const char *dir, struct str text, bool program)
{
    static const char between[] = " \t\r\n'\"=,;|&()<>:";
    add_word(in, dir, text, program);
    for (size_t i = 0; i < text.n;) {
        size_t begin = i;
        while (i < text.n && strchr(between, text.p[i]) == NULL) {
            i++;
        }
        if (i > begin && i - begin < text.n) {
            add_word(in, dir, (struct str){text.p + begin, i - begin}, program);
        }
        i++;
    }
}

static void add_table(struct ci_inputs *in, const char *dir, const struct toml_table *table);

static void add_value(struct ci_inputs *in, const char *dir, const struct toml_value *v,
                      bool program)
{
    switch (v->kind) {
    case TOML_STRING: add_text(in, dir, v->text, program); break;
    case TOML_ARRAY:
        for (size_t i = 0; i < v->n; i++) {
            add_value(in, dir, &v->items[i], true); /* words of a command, perhaps */
        }
        break;
    case TOML_TABLE: add_table(in, dir, v->table); break;
    case TOML_NUMBER:
    case TOML_BOOL: break;
    }
}

static void add_table(struct ci_inputs *in, const char *dir, const struct toml_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        add_value(in, dir, &table->pairs[i].value, false);
    }
}

static void add_toml(struct ci_inputs *in, const char *path)
{
    struct arena *arena = &in->ci->arena;
    struct str text = {0};
    struct toml toml = {0};
    struct err err = {0};
    const char *dir = str_dup(arena, path_dir(str_of(path))).p;
    if (file_read(arena, path, TOML_MAX_BYTES, &text, &err) != 0 ||
        toml_parse(arena, text, &toml, &err) != 0) {
        return; /* the job will say what is wrong with it */
    }
    for (size_t i = 0; i < toml.n; i++) {
        add_table(in, dir, &toml.tables[i]);
    }
}

/* A recording names its cluster file in its second line. */
static void add_recording(struct ci_inputs *in, const char *path)
{
    char text[PATH_MAX + 64];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    const char *line = strstr(text, "\ncluster ");
    if (line != NULL) {
        line += strlen("\ncluster ");
        const char *file = arena_strndup(&in->ci->arena, line, strcspn(line, "\n"));
        const char *cluster = ci_path(&in->ci->arena, in->ci->dir, file);
        if (is_file(cluster)) {
            add_file(in, cluster);
        }
    }
}

static void add_file(struct ci_inputs *in, const char *path)
{
    SCOPED_STRBUF what = {0};
    if (strmap_has(&in->seen, str_of(path))) {
        return;
    }
    (void)strmap_put(&in->seen, str_dup(&in->ci->arena, str_of(path)), in);
    const char *hash = hash_of(in, path);
    strbuf_printf(&what, "file %s", path);
    add(in, strbuf_cstr(&what), hash != NULL ? hash : "cannot be read");
    if (hash == NULL || in->found.n >= FILES_MAX) {
        return;
    }
    if (ends(path, ".tla")) {
        add_modules(in, path);
    } else if (ends(path, ".toml")) {
        add_toml(in, path);
    } else if (strcmp(path_base(str_of(path)).p, "replay") == 0) {
        add_recording(in, path);
    } else if (access(path, X_OK) == 0) {
        add_program(in, path);
    }
}

/* ---- what a job names by itself ---- */

static void add_tree(struct ci_inputs *in, const char *path);

struct tree {
    struct ci_inputs *in;
    const char *path;
    VEC(const char *) names;
};

static void add_name(void *arg, const char *name)
{
    struct tree *tree = arg;
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
        VEC_PUSH(&tree->names, str_dup(&tree->in->ci->arena, str_of(name)).p);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All files below a directory, in the order of their names. */
static void add_tree(struct ci_inputs *in, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        add_file(in, path);
        return;
    }
    struct tree tree = {.in = in, .path = path};
    dir_each(path, add_name, &tree);
    if (tree.names.n != 0) {
        qsort((void *)tree.names.v, tree.names.n, sizeof tree.names.v[0], by_text);
    }
    for (size_t i = 0; i < tree.names.n && in->found.n < FILES_MAX; i++) {
        const char *below = path_join(&in->ci->arena, path, tree.names.v[i]);
        bool link = lstat(below, &st) == 0 && S_ISLNK(st.st_mode);
        if (!link || is_file(below)) { /* a link to a directory may lead round */
            add_tree(in, below);
        }
    }
    VEC_DONE(&tree.names);
}

/* A pattern that nothing fits is an input, too: a file may come. */
static void add_pattern(struct ci_inputs *in, const char *pattern)
{
    glob_t found = {0};
    SCOPED_STRBUF what = {0};
    int status = glob(ci_path(&in->ci->arena, in->ci->dir, pattern), 0, NULL, &found);
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++) {
        add_tree(in, str_dup(&in->ci->arena, str_of(found.gl_pathv[i])).p);
    }
    if (status != 0) {
        strbuf_printf(&what, "inputs %s", pattern);
        add(in, strbuf_cstr(&what), "no such file");
    }
    globfree(&found);
}

bool ci_writes(const char *option)
{
    static const char *const names[] = {"-o",          "--out",        "--trace-out", "--dump",
                                        "--walks-out", "--save-graph", "--save",      "-dump",
                                        "-metadir",    "-userFile",    "--dir"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(option, names[i], n) == 0 && (option[n] == '\0' || option[n] == '=')) {
            return true;
        }
    }
    return false;
}

/* Directories of modules, as the options of a command and the environment name them. */
static void find_dirs(struct ci_inputs *in, const struct ci_job *job)
{
    struct arena *arena = &in->ci->arena;
    in->dirs = NULL;
    in->n_dirs = 0;
    VEC(const char *) lists = {0};
    for (size_t i = 1; i < job->n_words; i++) {
        const char *word = job->words[i];
        const char *next = i + 1 < job->n_words ? job->words[i + 1] : "";
        const char *list = strcmp(word, "-I") == 0 || strcmp(word, "--path") == 0 ? next
                           : strncmp(word, "--path=", 7) == 0                     ? word + 7
                           : strncmp(word, "-I", 2) == 0                          ? word + 2
                           : strncmp(word, "-DTLA-Library=", 14) == 0             ? word + 14
                                                                                  : "";
        SCOPED_STRBUF here = {0};
        while (*list != '\0') {
            size_t n = strcspn(list, ":");
            strbuf_adds(&here, here.n > 0 ? ":" : "");
            strbuf_adds(&here, ci_path(arena, in->ci->dir, arena_strndup(arena, list, n)));
            list += n + (list[n] == ':');
        }
        if (here.n > 0) {
            VEC_PUSH(&lists, str_dup(arena, strbuf_str(&here)).p);
        }
    }
    job_dirs_all(arena, lists.v, lists.n, &in->dirs, &in->n_dirs);
    VEC_DONE(&lists);
}

/* What changes how assay works: its variables, but the place of its cache. */
static void add_environment(struct ci_inputs *in)
{
    VEC(const char *) names = {0};
    for (char **at = env_all(); *at != NULL; at++) {
        bool ours = strncmp(*at, "ASSAY_", 6) == 0 && strncmp(*at, "ASSAY_CACHE=", 12) != 0;
        if (ours || strncmp(*at, "TLA_PATH=", 9) == 0) {
            VEC_PUSH(&names, *at);
        }
    }
    if (names.n != 0) {
        qsort((void *)names.v, names.n, sizeof names.v[0], by_text);
    }
    for (size_t i = 0; i < names.n; i++) {
        size_t n = strcspn(names.v[i], "=");
        SCOPED_STRBUF what = {0};
        strbuf_printf(&what, "environment %.*s", (int)n, names.v[i]);
        add(in, strbuf_cstr(&what), names.v[i] + n + 1);
    }
    VEC_DONE(&names);
}

static void add_words(struct ci_inputs *in, const struct ci_job *job)
{
    SCOPED_STRBUF command = {0};
    for (size_t i = 0; i < job->n_words; i++) {
        strbuf_printf(&command, "%s%s", i > 0 ? "\037" : "", job->words[i]);
    }
    add(in, "the command", strbuf_cstr(&command));
    for (size_t i = 1; i < job->n_words; i++) {
        const char *word = job->words[i];
        if (ci_writes(word)) {
            i += strchr(word, '=') == NULL ? 1 : 0;
        } else {
            add_text(in, in->ci->dir, str_of(word), false);
            /* TLC's and assay's specifications may be named without .tla */
            const char *spec = arena_printf(&in->ci->arena, "%s.tla", word);
            add_word(in, in->ci->dir, str_of(spec), false);
        }
    }
}

int ci_inputs_of(struct ci_inputs *in, struct ci_job *job, const char *program, struct err *err)
{
    SCOPED_STRBUF all = {0};
    const char *own = hash_of(in, program);
    if (own == NULL) {
        return err_set(err, ERR_IO, errno, "%s cannot be read", program);
    }
    strmap_done(&in->seen);
    VEC_RESET(&in->found);
    add(in, "assay itself", own);
    add_environment(in);
    find_dirs(in, job);
    add_words(in, job);
    for (size_t i = 0; i < job->n_patterns; i++) {
        add_pattern(in, job->patterns[i]);
    }
    job->n_inputs = in->found.n;
    job->inputs = ARENA_ARRAY(&in->ci->arena, struct ci_input, in->found.n + 1);
    for (size_t i = 0; i < in->found.n; i++) {
        job->inputs[i] = in->found.v[i];
        strbuf_printf(&all, "%s\t%s\n", in->found.v[i].what, in->found.v[i].value);
    }
    ci_hash(strbuf_str(&all), job->key);
    return 0;
}
