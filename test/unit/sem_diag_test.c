/* One small file for each diagnostic: it is reported, and nothing else is. */
#include <dirent.h>

#include "base/file.h"
#include "sem_util.h"

#define DIAG_DIR "test/corpus/diag"

struct code_row {
    int code;
    enum severity severity;
    bool seen;
};

static struct code_row *code_rows(size_t *ret_n)
{
    static struct code_row rows[] = {
#define D(name, number, severity, hint) {number, severity, false},
#include "syntax/diag_codes.def"
#undef D
    };
    *ret_n = sizeof rows / sizeof rows[0];
    return rows;
}

static void load_case(struct fixture *fx, const char *file)
{
    struct err err = {0};
    struct str name = str_of(file);
    const char *path = path_join(&fx->arena, DIAG_DIR, file);
    if (name.n > 4 && strcmp(file + name.n - 4, ".cfg") == 0) {
        struct source *source = NULL;
        struct config config;
        CHECK_EQ(sources_load(&fx->sources, path, &source, &err), 0);
        (void)!config_parse(&config, &fx->arena, source, NULL, NULL, &fx->diags);
        return;
    }
    if (!(name.n > 4 &&
          strcmp(file + name.n - 4, ".tla") == 0)) { /* a directory with several modules */
        path = arena_printf(&fx->arena, "%s/%s.tla", path, file);
    }
    (void)!program_load(&fx->program, &fx->arena, path, &fx->options, &fx->sources, &fx->diags,
                        &err);
    CHECK_EQ(err.code, 0);
}

TEST(each_code_has_a_file)
{
    size_t n;
    struct code_row *rows = code_rows(&n);
    DIR *dir = opendir(DIAG_DIR);
    CHECK(dir != NULL);
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        int code = entry->d_name[0] == 'E' || entry->d_name[0] == 'W' ? atoi(entry->d_name + 1) : 0;
        if (code < 3000) {
            continue;
        }
        struct fixture fx;
        fixture_init(&fx);
        load_case(&fx, entry->d_name);
        bool good = fx.diags.n > 0;
        for (size_t i = 0; i < fx.diags.n; i++) {
            good = good && (int)fx.diags.v[i]->code == code;
        }
        if (!good) {
            fprintf(stderr, "%s gives %s\n", entry->d_name, fixture_codes(&fx));
            exit(1);
        }
        for (size_t i = 0; i < n; i++) {
            if (rows[i].code == code) {
                CHECK_EQ(entry->d_name[0] == 'E', rows[i].severity == SEV_ERROR);
                rows[i].seen = true;
            }
        }
        fixture_done(&fx);
    }
    closedir(dir);
    for (size_t i = 0; i < n; i++) {
        bool elsewhere = rows[i].code == DIAG_WARN_TEXT_AFTER || /* the parser's */
                         (rows[i].code >= DIAG_WARN_PLUSCAL_BOTH &&
                          rows[i].code <= DIAG_WARN_PLUSCAL_TRANSLATION); /* of cli: run-pluscal */
        if (rows[i].code >= 3000 && !elsewhere && !rows[i].seen) {
            fprintf(stderr, "no file for %d\n", rows[i].code);
            exit(1);
        }
    }
}
