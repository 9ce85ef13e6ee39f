"""Makes assembly text of a C program look as if it came from another language: gcc -S -dA -gdwarf-4 FILE.c | disguise.py LANGUAGE

Names hold what C cannot write as words (_LT_ is <, see WORDS); a member TPARAM_x becomes the parameter x of a template. So the shapes
of other languages' libraries can be read where only gcc is installed. No entry changes its size: references stay right."""
import re
import sys

LANGUAGES = {"cxx": 0x21, "go": 0x16, "rust": 0x1c}
WORDS = {"_LT_": "<", "_GT_": ">", "_DOT_": ".", "_LB_": "[", "_RB_": "]", "_COMMA_": ", ", "_STAR_": "*", "_AMP_": "&", "_SP_": " ", "_TILDE_": "~"}
PARAMETER = 0x7d  # a number of an abbreviation that gcc does not get to


def name_of(text):
    for word, sign in WORDS.items():
        text = text.replace(word, sign)
    return text.removeprefix("TPARAM_")


def main():
    language = LANGUAGES[sys.argv[1]]
    lines = sys.stdin.read().split("\n")
    for i, line in enumerate(lines):
        if "# DW_AT_language" in line:
            lines[i] = "\t.byte\t%#x" % language
        elif "DW_TAG_member)" in line and "# (DIE" in line and 'DW_AT_name: "TPARAM_' in lines[i + 1]:
            lines[i] = "\t.uleb128 %#x" % PARAMETER
        elif re.match(r'\t\.string\t"', line):
            lines[i] = name_of(line.replace('"TPARAM_', '"'))
        elif line.startswith(".Ldebug_abbrev0:"):
            # name strp, decl_file, decl_line, decl_column, type ref4, data_member_location: as members have it
            pairs = [(0x3, 0xe), (0x3a, 0xb), (0x3b, 0xb), (0x39, 0xb), (0x49, 0x13), (0x38, 0xb), (0, 0)]
            words = [PARAMETER, 0x2f] + [0] + [word for pair in pairs for word in pair]
            lines[i] += "".join("\n\t.uleb128 %#x" % word for word in words)
    sys.stdout.write("\n".join(lines))


main()
