/* Checks a specification: cc twophase.c $(pkg-config --cflags --libs assay) && ./a.out SPEC.tla */
#include <assay.h>
#include <stdio.h>

static void violated(void *arg, const struct assay_violation *v)
{
    (void)arg;
    printf("%s %s is violated:\n", v->kind, v->property);
    for (size_t i = 0; v->trace != NULL && i < assay_trace_length(v->trace); i++) {
        printf("  %zu %s\n", i + 1, assay_trace_label(v->trace, i));
    }
}

int main(int argc, char **argv)
{
    struct assay_callbacks calls = {.size = sizeof calls, .violation = violated};
    struct assay_result result = {.size = sizeof result};
    char *error = NULL;
    assay_spec *spec = assay_spec_open(argc > 1 ? argv[1] : "TwoPhase.tla", NULL, &error);
    int verdict = spec != NULL ? assay_check(spec, NULL, &calls, &result, &error) : -1;
    if (verdict < 0) {
        fprintf(stderr, "%s\n", error);
    } else {
        printf("%s: %llu states, depth %llu\n", verdict == ASSAY_HOLDS ? "holds" : "does not hold",
               (unsigned long long)result.distinct, (unsigned long long)result.depth);
    }
    assay_free(error);
    assay_spec_close(spec);
    return verdict;
}
