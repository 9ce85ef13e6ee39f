/* Reports of hostile text: whatever programs and specifications say, the result is XML, JSON and
 * one line of GitHub's commands. */
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "report/report.h"
#include "test.h"

TEST(xml_escapes)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"plain",            "plain"                               },
        {"<a b='c'>&\"",     "&#60;a b=&#39;c&#39;&#62;&#38;&#34;" },
        {"]]>",              "]]&#62;"                             },
        {"a\tb\nc",          "a\tb\nc"                             },
        {"\x01\x1b[31m",     "\xef\xbf\xbd\xef\xbf\xbd[31m"        }, /* no characters of XML 1.0 */
        {"\xff\xc3",         "\xef\xbf\xbd\xef\xbf\xbd"            }, /* no UTF-8 */
        {"\xc0\xaf",         "\xef\xbf\xbd\xef\xbf\xbd"            }, /* overlong */
        {"\xed\xa0\x80",     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* half of a pair */
        {"\xef\xbf\xbf",     "\xef\xbf\xbd"                        }, /* U+FFFF */
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"                    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SCOPED_STRBUF out = {0};
        report_xml(str_of(rows[i].text), &out);
        CHECK_STR(strbuf_cstr(&out), rows[i].want);
    }
}

TEST(json_escapes)
{
    SCOPED_STRBUF out = {0};
    report_json(STR("a\"\\\n\x01\x7f\xff"), &out);
    CHECK_STR(strbuf_cstr(&out), "\"a\\\"\\\\\\n\\u0001\\u007f\xef\xbf\xbd\"");
}

TEST(github_is_one_line)
{
    struct report *report = report_new("check");
    struct report_finding f = {
        .rule = "a,b:c", .message = "50%\r\n::error::forged", .place = {"d,e:f%.tla", 3, 2, 3, 9}
    };
    struct report_end end = {12, 0};
    SCOPED_STRBUF out = {0};
    report_add_finding(report, &f);
    report_print(report, REPORT_GITHUB, &end, &out);
    CHECK_STR(strbuf_cstr(&out),
              "::error file=d%2Ce%3Af%25.tla,line=3,col=2,endColumn=9,title=a%2Cb%3Ac::50%25%0D%0A"
              "::error::forged\n");
    report_free(report);
}

TEST(nobody_wants_one)
{
    struct report_case c = {.name = "x"};
    report_add_case(NULL, &c);
    report_subject(NULL, "x");
    report_free(NULL);
}
