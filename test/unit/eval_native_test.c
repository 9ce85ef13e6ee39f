/* The tables of native operators against the texts of the modules. What the operators compute is
 * tested by test/corpus/eval/module_*.t. */
#include "eval/builtin_modules.h"
#include "eval/native.h"
#include "test.h"

TEST(every_row_is_found)
{
    for (const struct native *row = natives; row < natives + NATIVE_COUNT; row++) {
        CHECK(native_find(row->module, row->name, row->arity) == row); /* no row stands twice */
        CHECK_EQ(row->id, row - natives);
    }
    CHECK(NATIVE_COUNT > 150);
}

TEST(other_arity_or_module_is_not_found)
{
    CHECK(native_find("Sequences", "Len", 2) == NULL);
    CHECK(native_find("FiniteSets", "Len", 1) == NULL);
    CHECK(native_find("Sequences", "Length", 1) == NULL);
    CHECK(native_find("", "", 0) == NULL);
}

TEST(every_row_is_defined_in_its_module)
{
    for (const struct native *row = natives; row < natives + NATIVE_COUNT; row++) {
        size_t len = 0;
        bool standard = false;
        const char *text = modules_find(row->module, &len, &standard);
        CHECK(text != NULL);
        CHECK(strstr(text, row->name) != NULL);
    }
}

TEST(modules)
{
    size_t n = 0;
    for (const struct builtin_module_row *row = modules_rows; row->name != NULL; row++, n++) {
        size_t len = 0;
        bool standard = false;
        CHECK(modules_find(row->name, &len, &standard) == row->text);
        CHECK_EQ(len, strlen(row->text));
        CHECK(strstr(row->text, "MODULE ") != NULL);
        CHECK(strstr(row->text, row->name) != NULL);
    }
    CHECK(n >= 40);
    size_t len = 0;
    bool standard = false;
    CHECK(modules_find("Sequences", &len, &standard) != NULL && standard);
    CHECK(modules_find("SequencesExt", &len, &standard) != NULL && !standard);
    CHECK(modules_find("Nowhere", &len, &standard) == NULL);
}
