"""Validates what --report has written, by the published descriptions of the formats, not by our code.

usage: validate.py FORMAT FILE [WANTED]     WANTED: passed, failed or error: what the report must contain
       validate.py output FILE COMMAND      what the command has printed with --json, by docs/schema/commands.schema.json

JUnit: the schemas of Ant and of Jenkins, both: elements in their order, attributes that both know and those that one requires.
SARIF: sections 3.13 to 3.58 of SARIF 2.1.0 (OASIS) for the objects that are written. GitHub: "workflow commands" of its documentation.
TAP: version 13. JSON: docs/schema/assay.schema.json, by a validator of the keywords that it uses; an unknown keyword is an error.
Where jsonschema is installed it has to agree. SARIF_SCHEMA names OASIS's schema, which is not part of this repository: it is in the npm
package @microsoft/sarif-multitool-linux (sarif-2.1.0.json).
"""
import json
import os
import re
import sys
import xml.etree.ElementTree as tree

form, path = sys.argv[1:3]
wanted = sys.argv[3] if len(sys.argv) > 3 else None
SECONDS = r"[0-9]+(\.[0-9]{1,3})?"  # junit-10.xsd: SUREFIRE_TIME takes no more digits


def need(condition, what):
    if not condition:
        sys.exit(f"{path}: {what}")


def second_opinion(value, schema, what):
    """The same by somebody else's validator."""
    try:
        import jsonschema
    except ImportError:
        return
    checker = jsonschema.validators.validator_for(schema)
    checker.check_schema(schema)
    wrong = jsonschema.exceptions.best_match(checker(schema).iter_errors(value))
    need(wrong is None, f"{what}: {wrong.message if wrong else ''} at {list(wrong.absolute_path) if wrong else ''}"[:400])


# ---- JUnit ----
def junit(text):
    root = tree.fromstring(text)
    need(root.tag == "testsuites" and not root.attrib, "the root is testsuites, which has no attributes with Ant")
    need(len(root) == 1, "one suite")
    suite = root[0]
    need(suite.tag == "testsuite", "testsuite")
    known = {"id", "package", "hostname", "name", "timestamp", "tests", "failures", "errors", "skipped", "time"}
    need(set(suite.attrib) == known, f"attributes of testsuite: {sorted(suite.attrib)}")
    need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp")), "timestamp: ISO 8601 without a zone")
    need(re.fullmatch(SECONDS, suite.get("time")), "time of the suite")
    tags = [child.tag for child in suite]
    cases = [child for child in suite if child.tag == "testcase"]
    need(tags == ["properties"] + ["testcase"] * len(cases) + ["system-out", "system-err"], f"order of elements: {tags}")
    for prop in suite[0]:
        need(prop.tag == "property" and set(prop.attrib) == {"name", "value"}, "property")
    for case in cases:
        need(set(case.attrib) == {"name", "classname", "time"}, f"attributes of testcase: {sorted(case.attrib)}")
        need(case.get("name") and case.get("classname"), "a case has a name and a class")
        need(re.fullmatch(SECONDS, case.get("time")), "time of a case")
        need(len(case) <= 1, "one outcome for a case")
        for part in case:
            need(part.tag in ("failure", "error", "skipped"), f"<{part.tag}> in a case")
            must = {"message"} if part.tag == "skipped" else {"message", "type"}
            need(set(part.attrib) == must, f"attributes of {part.tag}")
            need(part.tag == "skipped" or part.get("type"), "a type")
    count = {tag: sum(1 for case in cases if case.find(tag) is not None) for tag in ("failure", "error", "skipped")}
    told = {"failure": "failures", "error": "errors", "skipped": "skipped"}
    need(int(suite.get("tests")) == len(cases) > 0, "number of tests")
    for tag, name in told.items():
        need(int(suite.get(name)) == count[tag], f"number of {name}")
    return {"failed": count["failure"], "error": count["error"], "passed": len(cases) - sum(count.values())}


# ---- SARIF ----
def only(value, what, **keys):
    """An object with these members: a type each; a name that ends in _ may be missing."""
    need(isinstance(value, dict), f"{what} is an object")
    known = {name.rstrip("_"): (kind, name.endswith("_")) for name, kind in keys.items()}
    for name in value:
        need(name in known, f"{what} has no member {name}")
    for name, (kind, optional) in known.items():
        need(optional or name in value, f"{what} lacks {name}")
        if name in value:
            need(isinstance(value[name], kind) and (kind is bool or not isinstance(value[name], bool)), f"{what}.{name} is a {kind}")


def sarif_place(place):
    only(place, "physicalLocation", artifactLocation=dict, region_=dict)
    uri = place["artifactLocation"]
    only(uri, "artifactLocation", uri=str)
    need(re.fullmatch(r"(file://)?([A-Za-z0-9\-._~/]|%[0-9A-F]{2})+", uri["uri"]), f"RFC 3986: {uri['uri']}")
    region = place.get("region")
    if region is not None:
        only(region, "region", startLine=int, startColumn_=int, endLine_=int, endColumn_=int)
        need(region["startLine"] >= 1 and region.get("startColumn", 1) >= 1, "regions begin at 1")
        if "endLine" in region:
            need((region["endLine"], region["endColumn"]) >= (region["startLine"], region.get("startColumn", 1)), "an end behind the begin")


def sarif_result(result, rules):
    only(result, "result", ruleId=str, ruleIndex=int, level=str, message=dict, locations=list, codeFlows_=list, attachments_=list)
    need(result["level"] in ("none", "note", "warning", "error"), "level")
    need(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex and ruleId agree")
    only(result["message"], "message", text=str)
    need(result["message"]["text"], "a message is not empty")
    need(result["locations"], "GitHub takes no result without a location")
    for location in result["locations"]:
        only(location, "location", physicalLocation=dict)
        sarif_place(location["physicalLocation"])
    for flow in result.get("codeFlows", []):
        only(flow, "codeFlow", threadFlows=list)
        for thread in flow["threadFlows"]:
            only(thread, "threadFlow", locations=list)
            need(thread["locations"], "a thread flow is not empty")
            for step in thread["locations"]:
                only(step, "threadFlowLocation", location=dict)
                only(step["location"], "location", message=dict, physicalLocation_=dict)
                only(step["location"]["message"], "message", text=str)
                if "physicalLocation" in step["location"]:
                    sarif_place(step["location"]["physicalLocation"])
    for attachment in result.get("attachments", []):
        only(attachment, "attachment", artifactLocation=dict)


def sarif(text):
    log = json.loads(text)
    if os.environ.get("SARIF_SCHEMA"):
        with open(os.environ["SARIF_SCHEMA"], encoding="utf-8-sig") as file:
            second_opinion(log, json.load(file), "SARIF's schema")
    only(log, "sarifLog", **{"$schema": str, "version": str, "runs": list})
    need(log["version"] == "2.1.0" and len(log["runs"]) == 1, "one run of version 2.1.0")
    run = log["runs"][0]
    only(run, "run", tool=dict, invocations=list, columnKind=str, results=list)
    need(run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
    only(run["tool"], "tool", driver=dict)
    driver = run["tool"]["driver"]
    only(driver, "toolComponent", name=str, version=str, rules=list)
    ids = [rule["id"] for rule in driver["rules"]]
    need(len(set(ids)) == len(ids), "rules are unique")
    for rule in driver["rules"]:
        only(rule, "reportingDescriptor", id=str)
    for invocation in run["invocations"]:
        only(invocation, "invocation", executionSuccessful=bool, exitCode=int)
    for result in run["results"]:
        sarif_result(result, driver["rules"])
    good = run["invocations"][0]["executionSuccessful"]
    errors = sum(1 for result in run["results"] if result["level"] == "error")
    return {"failed": errors if good else 0, "error": 0 if good else errors, "passed": 0 if errors else 1}


# ---- GitHub ----
def github(text):
    lines = [line for line in text.split("\n") if line.startswith("::")]
    command = r"::(error|warning|notice) ((file|line|col|endColumn|endLine|title)=[^,:\r\n]*,)*(file|line|title)=[^,:\r\n]*::[^\r\n]+"
    for line in lines:
        need(re.fullmatch(command, line), f"no workflow command: {line}")
        need(re.fullmatch(r"([^%]|%25|%0D|%0A|%3A|%2C)*", line), f"an escape that is none: {line}")
        need("file=" in line, f"no file: {line}")
    errors = sum(1 for line in lines if line.startswith("::error"))
    return {"failed": errors, "error": errors, "passed": 0 if errors else 1}


# ---- TAP ----
def tap(text):
    lines = text.split("\n")
    need(lines[0] == "TAP version 13", "the version")
    plan = re.fullmatch(r"1\.\.(\d+)", lines[1])
    need(plan, "the plan")
    tests = [line for line in lines if re.match(r"(not )?ok ", line)]
    need(len(tests) == int(plan.group(1)), "as many tests as planned")
    for i, line in enumerate(tests):
        need(re.match(rf"(not )?ok {i + 1} - ", line), f"test {i + 1}")
    known = r"TAP version 13|1\.\.\d+|(not )?ok \d+ - .*|  (---|\.\.\.|severity: (fail|error)|(kind|message): \".*\")|"
    for line in lines:
        need(re.fullmatch(known, line), f"not a line of TAP: {line}")
    severe = lambda word: sum(1 for line in lines if line == f"  severity: {word}")
    return {"failed": severe("fail"), "error": severe("error"), "passed": sum(1 for line in tests if line.startswith("ok ") and "# SKIP" not in line)}


# ---- JSON: the schema of the project ----
def check(value, schema, root, where):
    types = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    known = {"$ref", "type", "const", "enum", "required", "properties", "additionalProperties", "items", "minimum", "pattern", "anyOf",
             "description", "$defs", "$schema", "$id", "title", "minItems"}
    need(set(schema) <= known, f"the schema has {set(schema) - known}")
    if "$ref" in schema:
        target = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        check(value, target, root, where)
    if "anyOf" in schema:
        kinds = [s for s in schema["anyOf"] if not isinstance(value, dict) or "$ref" not in s or
                 root["$defs"][s["$ref"].split("/")[-1]].get("properties", {}).get("kind", {}).get("const") in (None, value.get("kind"))]
        need(len(kinds) == 1, f"{where}: fits {len(kinds)} of the forms that are possible")
        check(value, kinds[0], root, where)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        fits = any(isinstance(value, types[n]) and (n == "boolean" or not isinstance(value, bool)) for n in names)
        need(fits, f"{where}: {type(value).__name__}, not {names}")
    need("const" not in schema or value == schema["const"], f"{where}: {value!r}")
    need("enum" not in schema or value in schema["enum"], f"{where}: {value!r} is not one of {schema.get('enum')}")
    need("minimum" not in schema or value >= schema["minimum"], f"{where}: below the minimum")
    need("pattern" not in schema or re.search(schema["pattern"], value), f"{where}: {value!r} has another form")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            need(name in value, f"{where} lacks {name}")
        for name, part in value.items():
            below = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            need(below is not False, f"{where} has no member {name}")
            check(part, below if isinstance(below, dict) else {}, root, f"{where}.{name}")
    if isinstance(value, list):
        need(len(value) >= schema.get("minItems", 0), f"{where}: too few")
        for i, part in enumerate(value):
            check(part, schema.get("items", {}), root, f"{where}[{i}]")


def as_json(text):
    schema = json.load(open("docs/schema/assay.schema.json"))
    value = json.loads(text)
    for i, document in enumerate(value if isinstance(value, list) else [value]):
        check(document, schema, schema, f"document {i}" if isinstance(value, list) else "report")
        second_opinion(document, schema, f"document {i}")
    if isinstance(value, list):
        return {"documents": len(value)}
    return value["counts"]


def output(text):
    """What a command prints with --json: documents one after the other, each as the schema has it of that command."""
    schema = json.load(open("docs/schema/commands.schema.json"))
    schema["$ref"] = "#/$defs/" + wanted
    decoder, at, n = json.JSONDecoder(), 0, 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        second_opinion(value, schema, f"{wanted}, document {n + 1}")
        n += 1
    print({"documents": n})
    sys.exit(0)


with open(path, encoding="utf-8", newline="") as file:
    counts = {"junit": junit, "sarif": sarif, "github": github, "tap": tap, "json": as_json, "output": output}[form](file.read())
if wanted == "passed":
    need(counts["failed"] == 0 and counts["error"] == 0 and counts["passed"] > 0, f"nothing passed, or something did not: {counts}")
elif wanted is not None:
    need(counts[wanted] > 0, f"no case is '{wanted}': {counts}")
print(counts)
