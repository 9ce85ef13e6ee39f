/* CPython: where paths begin. The interpreter's state is the exported symbol _PyRuntime; from there
 * on everything is plain structures, whose places in 3.11 are public (cpython/internal headers, the
 * same in all its releases). Other versions lay them out differently and are refused. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "lang/lang.h"
#include "lang/lang_int.h"
#include "lang/python_int.h"

enum {
    RUNTIME_INTERPRETERS = 40, /* _PyRuntimeState.interpreters.head */
    INTERP_NEXT = 0,
    INTERP_THREADS = 16,
    INTERP_GENERATIONS = 672,
    GENERATION_BYTES = 24,
    GENERATIONS = 3,
    INTERP_MODULES = 888,
    THREAD_NEXT = 8,
    THREAD_CFRAME = 56,
    CFRAME_FRAME = 8,
    FRAME_CODE = 32,
    FRAME_PREVIOUS = 48,
    FRAME_LOCALS = 72,
    CODE_N_LOCALS = 76,
    CODE_LOCAL_NAMES = 96,
    CODE_NAME = 120,
    CODE_QUALIFIED = 128,
    TUPLE_SIZE = 16,
    TUPLE_ITEMS = 24,
    CELL_CONTENT = 16,
    GC_HEAD_BYTES = 16
};
enum { FRAMES_MOST = 20000, THREADS_MOST = 4096, OBJECTS_MOST = 20000000, TYPES_KNOWN = 64 };

struct python {
    struct lang_runtime head;
    uint64_t runtime; /* _PyRuntime */
};

static int interpreter(struct lreader *rd, uint64_t *ret)
{
    const struct python *py = (const struct python *)rd->runtime;
    int status = lread_word(rd, py->runtime + RUNTIME_INTERPRETERS, ret);
    return status != 0 || *ret != 0
               ? status
               : err_set(rd->err, ERR_NOT_FOUND, 0, "Python has not started yet");
}

/* ---- modules ---- */

static struct str joined(const struct lang_path *path, const struct lstep *last)
{
    return (struct str){path->text.p, last->at + last->name.n + (last->at == 0 ? 0 : 1)};
}

/* The longest beginning of the path that is the name of a module. */
static int find_module(struct lreader *rd, const struct lang_path *path, uint64_t modules,
                       const struct lstep **ret_rest, uint64_t *ret)
{
    uint64_t found = 0;
    for (const struct lstep *s = path->steps; s != NULL && s->kind == LSTEP_NAME; s = s->next) {
        uint64_t module = 0;
        int there = python_lookup(rd, modules, joined(path, s), &module);
        if (there < 0) {
            return there;
        }
        if (there == 1 && s->next != NULL && s->next->kind == LSTEP_NAME) {
            found = module;
            *ret_rest = s->next;
        }
    }
    *ret = found;
    return 0;
}

static int global_root(struct lreader *rd, const struct lang_path *path, uint64_t interp,
                       const struct lstep **ret_rest, struct lref *ret)
{
    uint64_t modules = 0, main = 0, module = 0;
    const struct lstep *first = path->steps;
    int status = lread_word(rd, interp + INTERP_MODULES, &modules);
    int there = status != 0 ? status : python_lookup(rd, modules, STR("__main__"), &main);
    if (there < 0) {
        return there;
    }
    if (there == 1) {
        status = python_member(rd, (struct lref){.addr = main}, first->name, ret);
        if (status == 0) {
            *ret_rest = first->next;
            lread_tell(rd, "variable ", first->name, *ret);
            return 0;
        }
        if (rd->err->code != ERR_INVALID) {
            return status;
        }
    }
    status = find_module(rd, path, modules, ret_rest, &module);
    if (status != 0) {
        return status;
    }
    if (module == 0) {
        return lread_none(rd, "__main__ has no variable, and no module is called", first->name);
    }
    *ret = (struct lref){.addr = module};
    *rd->err = (struct err){0};
    lread_tell(rd, "", STR("a module"), *ret);
    return 0;
}

/* ---- frames ---- */

struct frame {
    uint64_t addr, code;
};

/* "Counter.run" or its last part. */
static bool is_function(struct lreader *rd, uint64_t code, struct str name)
{
    uint64_t text = 0;
    for (int i = 0; i < 2; i++) {
        if (lread_word(rd, code + (i == 0 ? CODE_QUALIFIED : CODE_NAME), &text) == 0 && text != 0 &&
            python_text_is(rd, text, name)) {
            return true;
        }
    }
    return false;
}

static int find_in_thread(struct lreader *rd, uint64_t thread, struct str name, struct frame *ret)
{
    uint64_t frame = 0, cframe = 0;
    int status = lread_word(rd, thread + THREAD_CFRAME, &cframe);
    if (status == 0 && cframe != 0) {
        status = lread_word(rd, cframe + CFRAME_FRAME, &frame);
    }
    for (unsigned n = 0; status == 0 && frame != 0 && n < FRAMES_MOST; n++) {
        uint64_t code = 0;
        status = lread_word(rd, frame + FRAME_CODE, &code);
        if (status == 0 && code != 0 && is_function(rd, code, name)) {
            *ret = (struct frame){frame, code};
            return 1;
        }
        status = status != 0 ? status : lread_word(rd, frame + FRAME_PREVIOUS, &frame);
    }
    return status;
}

static int find_frame(struct lreader *rd, uint64_t interp, struct str name, struct frame *ret)
{
    uint64_t thread = 0;
    int status = lread_word(rd, interp + INTERP_THREADS, &thread);
    for (unsigned n = 0; status == 0 && thread != 0 && n < THREADS_MOST; n++) {
        status = find_in_thread(rd, thread, name, ret);
        if (status == 0) {
            status = lread_word(rd, thread + THREAD_NEXT, &thread);
        }
    }
    return status == 1   ? 0
           : status != 0 ? status
                         : lread_none(rd, "no function runs that is called", name);
}

static int frame_local(struct lreader *rd, const struct frame *frame, struct str name,
                       struct lref *ret)
{
    uint64_t names = 0, size = 0, text = 0, value = 0;
    int32_t n = 0;
    struct ptype type;
    int status = lread(rd, frame->code + CODE_N_LOCALS, &n, sizeof n);
    status = status != 0 ? status : lread_word(rd, frame->code + CODE_LOCAL_NAMES, &names);
    status = status != 0 ? status : lread_word(rd, names + TUPLE_SIZE, &size);
    for (int32_t i = 0; status == 0 && i < n && (uint64_t)i < size && i < 65536; i++) {
        status = lread_word(rd, names + TUPLE_ITEMS + 8 * (uint64_t)i, &text);
        if (status != 0 || !python_text_is(rd, text, name)) {
            continue;
        }
        status = lread_word(rd, frame->addr + FRAME_LOCALS + 8 * (uint64_t)i, &value);
        if (status == 0 && value != 0 && python_type(rd, value, &type) == 0 &&
            type.kind == PY_CELL) {
            status = lread_word(rd, value + CELL_CONTENT, &value);
        }
        if (status == 0 && value == 0) {
            return lread_none(rd, "it has no value yet: the local variable", name);
        }
        *ret = (struct lref){.addr = value};
        return status;
    }
    return status != 0 ? status : lread_none(rd, "the function has no local variable", name);
}

/* ---- instances ---- */

struct seeking {
    struct str name;
    uint64_t types[TYPES_KNOWN]; /* that were looked at, and whether they are the class */
    bool is[TYPES_KNOWN];
    uint64_t found, others;
};

static void look_at(struct lreader *rd, struct seeking *s, uint64_t object)
{
    uint64_t type = 0;
    if (lread_word(rd, object + 8, &type) != 0 || type == 0) {
        return;
    }
    size_t at = (size_t)(type >> 4) % TYPES_KNOWN;
    if (s->types[at] != type) {
        s->types[at] = type;
        s->is[at] = python_derives(rd, type, s->name);
    }
    if (s->is[at] && object != s->found) {
        s->others += s->found != 0 ? 1 : 0;
        s->found = s->found != 0 ? s->found : object;
    }
}

/* All objects that the collector knows: those that can be part of a cycle, as every instance. */
static int instance_root(struct lreader *rd, const struct lang_path *path, uint64_t interp,
                         struct lref *ret)
{
    uint64_t known = lfound_get(rd, path->instance);
    if (known != 0) {
        *ret = (struct lref){.addr = known};
        lread_tell(rd, "the instance of ", path->instance, *ret);
        return 0;
    }
    struct seeking *s = ARENA_NEW(rd->arena, struct seeking);
    uint64_t seen = 0;
    s->name = path->instance;
    for (uint64_t g = 0; g < GENERATIONS; g++) {
        uint64_t head = interp + INTERP_GENERATIONS + g * GENERATION_BYTES, at = head;
        for (;;) {
            int status = lread_word(rd, at, &at);
            at &= ~UINT64_C(3);
            if (status != 0) {
                return status;
            }
            if (at == head || at == 0) {
                break;
            }
            if (++seen > OBJECTS_MOST) {
                return err_set(rd->err, ERR_LIMIT, 0, "more than %d objects", OBJECTS_MOST);
            }
            look_at(rd, s, at + GC_HEAD_BYTES);
        }
    }
    *rd->err = (struct err){0};
    if (s->found == 0) {
        return lread_none(rd, "there is no instance of", path->instance);
    }
    if (s->others != 0) {
        return err_set(rd->err, ERR_INVALID, 0, "there are %" PRIu64 " instances of %.*s",
                       s->others + 1, STR_ARG(path->instance));
    }
    *ret = (struct lref){.addr = s->found};
    lfound_put(rd, path->instance, s->found);
    lread_tell(rd, "the instance of ", path->instance, *ret);
    return 0;
}

static int python_root(struct lreader *rd, const struct lang_path *path,
                       const struct lstep **ret_rest, struct lref *ret)
{
    uint64_t interp = 0;
    int status = interpreter(rd, &interp);
    *ret_rest = path->steps;
    if (status != 0) {
        return status;
    }
    if (path->instance.n != 0) {
        return instance_root(rd, path, interp, ret);
    }
    const struct lstep *call = path->steps;
    while (call != NULL && call->kind == LSTEP_NAME) {
        call = call->next;
    }
    if (call == NULL || call->kind != LSTEP_CALL) {
        return global_root(rd, path, interp, ret_rest, ret);
    }
    struct str name = {path->text.p, call->at};
    struct frame frame = {0};
    if (call->next == NULL || call->next->kind != LSTEP_NAME) {
        return lread_none(rd, "name a local variable of", name);
    }
    status = find_frame(rd, interp, name, &frame);
    status = status != 0 ? status : frame_local(rd, &frame, call->next->name, ret);
    *ret_rest = call->next->next;
    if (status == 0) {
        lread_tell(rd, "local variable ", call->next->name, *ret);
    }
    return status;
}

static void python_tell(struct lreader *rd, struct lref at, struct strbuf *out)
{
    struct ptype type;
    if (at.addr != 0 && python_type(rd, at.addr, &type) == 0) {
        strbuf_printf(out, "%.*s", STR_ARG(type.name));
    } else {
        strbuf_adds(out, "nothing");
    }
}

static const struct lang_ops python_ops = {
    .root = python_root,
    .member = python_member,
    .items = python_items,
    .value = python_value,
    .type = python_tell,
};

int python_open(const struct lang_memory *memory, struct arena *arena, struct lang_runtime **ret,
                struct err *err)
{
    static const char *const files[] = {"python3", "libpython3", "python", NULL};
    uint64_t runtime = 0, version = 0, number = 0;
    int status = symbol_find(memory, files, "_PyRuntime", &runtime, err);
    if (status != 0) {
        return status;
    }
    bool told = symbol_find(memory, files, "Py_Version", &version, err) == 0 &&
                memory->read(memory->arg, version, &number, 4) == 0;
    if (!told || number >> 16 != 0x030b) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       told ? "this is Python %u.%u: only 3.11 can be read"
                            : "this Python does not tell its version: only 3.11 can be read",
                       (unsigned)(number >> 24 & 255), (unsigned)(number >> 16 & 255));
    }
    struct python *py = ARENA_NEW(arena, struct python);
    *py = (struct python){
        .head = {.lang = LANG_PYTHON, .ops = &python_ops, .arena = arena},
          .runtime = runtime
    };
    *ret = &py->head;
    return 0;
}
