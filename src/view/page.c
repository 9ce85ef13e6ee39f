/* The page: markup, style and scripts (src/view/web, put into the program by tools/embed-web) with
 * the documents inside, so that it is the same from the server and from a disk. Documents come from
 * programs and specifications: in them no character can end the element that they stand in. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/random.h>

#include "base/err.h"
#include "base/str.h"
#include "report/report.h"
#include "view/assets.h"
#include "view/view.h"

int view_token(char ret[VIEW_TOKEN + 1], struct err *err)
{
    unsigned char bytes[VIEW_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return err_set(err, ERR_IO, errno, "the system has no random bytes");
    }
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof bytes; i++) {
        ret[2 * i] = digits[bytes[i] >> 4];
        ret[2 * i + 1] = digits[bytes[i] & 15];
    }
    ret[VIEW_TOKEN] = '\0';
    return 0;
}

/* JSON inside of a script element: a '<' can only stand in a string, where it may be escaped. */
static void add_inside(struct str json, struct strbuf *out)
{
    for (size_t i = 0; i < json.n;) {
        const char *next = memchr(json.p + i, '<', json.n - i);
        size_t n = next != NULL ? (size_t)(next - json.p) - i : json.n - i;
        strbuf_add(out, json.p + i, n);
        i += n;
        if (next != NULL) {
            strbuf_adds(out, "\\u003c");
            i++;
        }
    }
}

void view_page(const struct view_page *page, struct strbuf *out)
{
    strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    if (!page->server) { /* else the policy comes with the answer */
        strbuf_printf(out,
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "base-uri 'none'; form-action 'none'; script-src 'nonce-%s'; style-src "
                      "'nonce-%s'; img-src data:\">\n",
                      page->nonce, page->nonce);
    }
    strbuf_adds(out,
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
    report_xml(str_of(page->title), out);
    strbuf_printf(out, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style nonce=\"%s\">\n",
                  page->nonce);
    strbuf_add(out, view_style, view_style_n);
    strbuf_printf(out, "</style></head>\n<body data-server=\"%s\" data-step=\"%s\">\n",
                  page->server ? "yes" : "no", page->can_step ? "yes" : "no");
    strbuf_add(out, view_body, view_body_n);
    strbuf_printf(out, "<script type=\"application/json\" id=\"documents\" nonce=\"%s\">[",
                  page->nonce);
    add_inside(page->documents, out);
    strbuf_printf(out, "]</script>\n<script nonce=\"%s\" type=\"module\">\n", page->nonce);
    strbuf_add(out, view_script, view_script_n);
    strbuf_adds(out, "</script>\n</body></html>\n");
}
