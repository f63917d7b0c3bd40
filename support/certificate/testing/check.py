"""A second checker of certificates, written from support/docs/certificate-format.md alone. It checks everything but the judging again.

    python3 check.py LIST

Each line of the list is an object { "path", "keys", "challenge", "now" }. Prints null for each certificate, or why it is refused.
"""
import base64, binascii, hashlib, hmac, json, os, re, struct, subprocess, sys, tempfile, zlib
from datetime import datetime, timedelta, timezone

MAX_ARCHIVE, MAX_CONTENT, MAX_JSON, MAX_FILES = 64_000_000, 64_000_000, 8_000_000, 20_000
MAX_VALUES, MAX_REPORT_VALUES, MAX_TEXT, MAX_WAIVERS, LEAST_RUNS = 600_000, 50_000, 4096, 1000, 20
NAME = re.compile(r"([a-z]{1,20}\.json|bodies/[0-9a-f]{64})\Z")


class Refused(Exception):
    pass


def need(condition, place, problem="is wrong"):
    if not condition:
        raise Refused(f"{place}: {problem}")


# 1. Container


def read_archive(path):
    need(os.path.getsize(path) <= MAX_ARCHIVE, "archive", "too large")
    data = open(path, "rb").read()
    end = len(data) - 22
    need(end >= 0 and data[end : end + 4] == b"PK\5\6", "archive", "no end record in its last 22 bytes")
    disk, first, here, count, size, start, comment = struct.unpack("<HHHHIIH", data[end + 4 :])
    need(disk == first == 0 and here == count and comment == 0, "archive", "parts or comment")
    need(start + size == end and count <= MAX_FILES, "archive", "directory")
    files, offset, at, content = {}, 0, start, 0
    for _ in range(count):
        entry = data[at : at + 46]
        need(len(entry) == 46 and at + 46 <= end and entry[:4] == b"PK\1\2", "archive", "directory")
        length, extra, remark, part, _inner, outer, begins = struct.unpack("<HHHHHII", entry[28:46])
        name = data[at + 46 : at + 46 + length].decode("latin-1")
        need(NAME.match(name), name, "name")
        need(name not in files, name, "twice")
        need(outer >> 28 == 8, name, "no regular file")
        need(extra == remark == part == 0, name, "extra field or comment")
        need(begins == offset, name, "gap")
        header = data[offset : offset + 30]
        need(len(header) == 30 and header[:4] == b"PK\3\4", name, "header")
        need(header[4:] == entry[6:32], name, "header differs")
        flags, method = struct.unpack("<HH", header[6:10])
        check, packed, whole = struct.unpack("<III", header[14:26])
        need(flags in (0, 0x800) and method in (0, 8), name, "method")
        body = offset + 30 + length
        need(data[offset + 30 : body].decode("latin-1") == name, name, "name differs")
        need(body + packed <= start, name, "cut off")
        content += whole
        need(content <= MAX_CONTENT and (whole <= MAX_JSON or name.startswith("bodies/")), name, "too large")
        raw = data[body : body + packed]
        files[name] = unpack(raw, method, whole, name)
        need(zlib.crc32(files[name]) == check, name, "checksum")
        offset, at = body + packed, at + 46 + length
    need(offset == start and at == end, "archive", "bytes of no file")
    return files


def unpack(raw, method, size, name):
    if method == 0:
        need(len(raw) == size, name, "size")
        return raw
    stream = zlib.decompressobj(-15)
    try:
        out = stream.decompress(raw, size + 1)
    except zlib.error:
        raise Refused(f"{name}: does not unpack") from None
    need(len(out) == size and stream.eof and not stream.unused_data and not stream.unconsumed_tail, name, "size")
    return out


# 2. JSON


def read_json(data, place, most=MAX_VALUES):
    need(not data.startswith(b"\xef\xbb\xbf"), place, "byte order mark")
    depth = deepest = 0
    outside = re.sub(rb'"(?:[^"\\]|\\.)*"', b'"', data)
    for byte in outside.translate(None, bytes(set(range(256)) - set(b"[]{}"))):
        depth += (byte in b"[{") - (byte in b"]}")
        deepest = max(deepest, depth)
    need(deepest <= 200, place, "depth")

    def members(pairs):
        names = [name for name, _ in pairs]
        need(len(set(names)) == len(names), place, "a member twice")
        need("__proto__" not in names, place, "__proto__")
        return dict(pairs)

    def integer(text):
        need(len(text.lstrip("-")) <= 16 and abs(int(text)) <= 2**53 - 1, place, "number")
        return int(text)

    def refuse(_text):
        raise Refused(f"{place}: number")

    try:
        value = json.loads(
            data.decode("utf-8"), object_pairs_hook=members, parse_int=integer, parse_float=refuse, parse_constant=refuse
        )
    except (ValueError, RecursionError) as error:
        raise Refused(f"{place}: {error}") from None
    need(values(value) <= most, place, "values")
    return value


def values(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(values, inner))


def text(value):
    return isinstance(value, str)


def short(value):
    return text(value) and len(value.encode("utf-8", "surrogatepass")) <= MAX_TEXT


def matching(pattern):
    compiled = re.compile(pattern + r"\Z")
    return lambda value: text(value) and bool(compiled.match(value))


def flag(value):
    return isinstance(value, bool)


def count(high=2**53 - 1, low=0):
    return lambda value: type(value) is int and low <= value <= high


def one_of(*values):
    return lambda value: text(value) and value in values


def is_true(value):
    return value is True


def list_of(check, low=0, high=2**53):
    return lambda value: isinstance(value, list) and low <= len(value) <= high and all(map(check, value))


def moment(value):
    return datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


def dated(pattern, read):
    def check(value):
        try:
            return matching(pattern)(value) and bool(read(value))
        except ValueError:
            return False

    return check


def shape(members):
    """An object with these members; a name that ends in ? may be absent."""
    checks = {name.rstrip("?"): check for name, check in members.items()}
    required = {name for name in members if not name.endswith("?")}
    return lambda value: (
        isinstance(value, dict)
        and required <= set(value) <= set(checks)
        and all(checks[name](each) for name, each in value.items())
    )


digest = matching("[0-9a-f]{64}")
day = dated(r"\d{4}-\d\d-\d\d", lambda value: moment(f"{value}T00:00:00.000Z"))
time = dated(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", moment)
pair = lambda value: isinstance(value, list) and len(value) == 2 and all(map(text, value))
WAIVER = {"rule": matching("[a-z0-9-]{1,200}"), "operation": text, "reason": short, "owner": short, "expires": day}
ADDRESS = matching(r"""https?://(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=-]+)(:[0-9]{1,5})?(/[!"$->@-\[\]-~]*)?(?<!/)""")
OUTCOMES = ("passed", "failed", "cantTell", "inapplicable", "untested")
LEVELS = ("required", "implied", "advisory")

STATEMENT = shape({
    "_type": one_of("https://in-toto.io/Statement/v1"),
    "subject": list_of(shape({"name": text, "digest": shape({"sha256": digest})})),
    "predicateType": one_of("https://store-conformance.example/certificate/v1"),
    "predicate": shape({
        "title": text,
        "store?": shape({"name?": text, "version?": text}),
        "baseUrl": text,
        "reference?": is_true,
        "profile": shape({"name": text, "revision": count(), "digest": digest}),
        "gate": one_of("implied", "advisory"),
        "suite": shape({"name": one_of("store-conformance"), "version": matching("[0-9A-Za-z.-]{1,60}"), "digest": digest}),
        "seed?": count(),
        "challenge?": digest,
        "runs": count(),
        "startedAt": time,
        "finishedAt": time,
        "issuedAt": time,
        "validUntil": time,
        "counts": shape({name: count() for name in OUTCOMES}),
        "requests": count(),
        "waivers": list_of(shape({**WAIVER, "waiting": list_of(text)}), high=MAX_WAIVERS),
        "errata": list_of(shape({
            "rule": text, "date": text, "reason": text,
            "change": one_of("withdrawn", "corrected", "demoted"), "level?": one_of(*LEVELS),
        })),
    }),
})

KINDS = ("timeout", "refused", "dns", "tls", "no-tls", "dropped", "malformed", "too-large", "aborted", "busy")
EVENTS = {
    "exchange": shape({
        "kind": text, "scenario": text, "nth": count(), "operation?": text, "step": text,
        "on": one_of("any", "fresh", "own"), "repeatable": flag,
        "request": shape({
            "method": text, "target": text, "headers": list_of(pair), "version?": one_of("1.0"),
            "writing?": one_of("split", "late", "chunked"), "body?": text,
        }),
        "response?": shape({"status": count(999, 100), "headers": list_of(pair), "body?": digest}),
        "problem?": shape({"kind": one_of(*KINDS), "message": short}),
        "connection": one_of("pool", "fresh", "kept"), "repeatedAfter?": short,
        "startedAt": count(), "durationMs": count(), "waitedMs": count(), "echoesKey?": is_true,
    }),
    "state": shape({
        "kind": text, "nth": count(), "action": one_of("setup", "teardown"), "state": text,
        "params": lambda value: isinstance(value, dict)
        and all(text(each) or type(each) is int for each in value.values()),
        "ids?": list_of(text), "declined?": short, "unauthorised?": flag,
        "error?": shape({"name": short, "message": short}),
    }),
    "strayBytes": shape({"kind": text, "scenario": text, "nth": count(), "value": flag}),
}


def event(value):
    return isinstance(value, dict) and value.get("kind") in tuple(EVENTS) and EVENTS[value["kind"]](value)


RECORDING = shape({
    "format": one_of("store-conformance-recording/1"),
    "startedAt": count(8_640_000_000_000_000),
    "settings": shape({
        "baseUrl": ADDRESS, "reference?": is_true, "apiKey": text, "revokedApiKey?": text, "provider?": text,
        "pendingOrders?": list_of(text), "shippedOrders?": list_of(text),
        "pets?": lambda value: value == "any" or list_of(text)(value),
        "profile": text, "gate": one_of(*LEVELS), "seed": count(2**31 - 1), "runs": count(10_000, LEAST_RUNS),
        "timeoutMs": count(600_000), "concurrency": count(256, 1), "storeName?": short, "storeVersion?": short,
        "waivers?": list_of(shape(WAIVER), 1, MAX_WAIVERS),
    }),
    "events": list_of(event),
})
ENVELOPE = shape({
    "payloadType": one_of("application/vnd.in-toto+json"),
    "payload": text,
    "signatures": list_of(shape({"keyid": digest, "sig": text}), high=16),
})


# 3. Envelope


def from_base64(value, place):
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise Refused(f"{place}: base64") from None
    need(base64.b64encode(data).decode() == value, place, "base64")
    return data


def read_envelope(files):
    envelope = read_json(file_called(files, "envelope.json"), "envelope.json")
    need(ENVELOPE(envelope), "envelope.json", "members")
    signatures = envelope["signatures"]
    need(len({each["keyid"] for each in signatures}) == len(signatures), "envelope.json", "a keyid twice")
    payload = from_base64(envelope["payload"], "envelope.json: payload")
    return payload, [from_base64(each["sig"], "envelope.json: sig") for each in signatures]


def is_signed(payload, signatures, key):
    kind = b"application/vnd.in-toto+json"
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
    about = subprocess.run(["openssl", "pkey", "-pubin", "-in", key, "-noout", "-text"], capture_output=True, text=True)
    with tempfile.TemporaryDirectory() as folder:
        message, signature = os.path.join(folder, "m"), os.path.join(folder, "s")
        open(message, "wb").write(signed)
        for each in signatures:
            open(signature, "wb").write(each)
            command = (
                ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", message, "-sigfile", signature]
                if "ED25519" in about.stdout.upper()
                else ["openssl", "dgst", "-sha256", "-verify", key, "-signature", signature, message]
            )
            if subprocess.run(command, capture_output=True).returncode == 0:
                return True
    return False


def file_called(files, name):
    need(name in files, name, "is missing")
    return files[name]


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# 4 to 6


def check(path, keys, now, challenge=None):
    files = read_archive(path)
    payload, signatures = read_envelope(files)
    statement = read_json(payload, "statement")
    need(STATEMENT(statement), "statement", "members")
    subject = [each["name"] for each in statement["subject"]]
    need(subject == ["report.json", "recording.json"], "statement", "subject")
    for each in statement["subject"]:
        need(sha256(file_called(files, each["name"])) == each["digest"]["sha256"], each["name"], "digest")
    recording = read_json(files["recording.json"], "recording.json")
    need(RECORDING(recording), "recording.json", "members")
    check_bodies(files, recording["events"])
    check_numbers(recording["events"])
    for key in keys:
        need(is_signed(payload, signatures, key), "envelope.json", f"no signature of {key}")
    report, predicate = read_json(files["report.json"], "report.json", MAX_REPORT_VALUES), statement["predicate"]
    check_report(report, recording)
    check_statement(predicate, recording, report, challenge, now)
    check_values(predicate, recording)


def check_bodies(files, events):
    used = set()
    for at, each in enumerate(events):
        if each["kind"] != "exchange":
            continue
        need(("response" in each) != ("problem" in each), f"events[{at}]", "response or problem")
        if "body" in each.get("response", {}):
            used.add("bodies/" + each["response"]["body"])
    for name in set(files) - {"envelope.json", "report.json", "recording.json"}:
        need(name in used, name, "belongs to no exchange")
    for name in used:
        need(sha256(file_called(files, name)) == name[7:], name, "digest")


def check_numbers(events):
    numbers = {}
    for each in events:
        numbers.setdefault((each["kind"], each.get("scenario")), []).append(each["nth"])
    for of, given in numbers.items():
        need(sorted(given) == list(range(len(given))), f"events of {of}", "nth")


def check_report(report, recording):
    settings, waivers = recording["settings"], recording["settings"].get("waivers", [])
    need(isinstance(report, dict) and list_of(lambda rule: isinstance(rule, dict))(report.get("rules")), "report.json", "members")
    requests = sum(each["kind"] == "exchange" for each in recording["events"])
    store = {key: settings[name] for name, key in (("storeName", "name"), ("storeVersion", "version")) if name in settings}
    for name, value in (
        ("format", "store-conformance/1"), ("verdict", "partial" if waivers else "conformant"),
        ("profile", settings["profile"]), ("gate", settings["gate"]), ("seed", settings["seed"]), ("requests", requests),
        ("store", store or None), ("startedAt", written(recording["startedAt"])),
        ("target", {name: settings[name] for name in ("baseUrl", "reference") if name in settings}),
        ("expectedFailures", {"file": "waivers", "entries": len(waivers), "stale": []} if waivers else None),
    ):
        need(report.get(name) == value, f"report.json: {name}", "does not follow from the recording")
    need(count()(report.get("durationMs")) and count()(report.get("revision")), "report.json", "durationMs or revision")
    counts, by_id = dict.fromkeys(OUTCOMES, 0), {}
    for rule in report["rules"]:
        need(text(rule.get("id")) and rule["id"] not in by_id, "report.json: rules", "id")
        need(rule.get("outcome") in OUTCOMES and rule.get("level") in LEVELS and text(rule.get("operation")), rule["id"])
        need(list_of(count(requests - 1))(rule.get("exchanges")), rule["id"], "exchanges")
        by_id[rule["id"]] = rule
        counts[rule["outcome"]] += decides(rule, settings) and "expectedFailure" not in rule
    need(report.get("counts") == counts, "report.json: counts", "are not those of its rules")
    need(not any(counts[name] for name in ("failed", "cantTell", "untested")) and counts["passed"], "report.json: counts")
    excuses = {each["rule"]: {name: each[name] for name in ("reason", "owner", "expires")} for each in waivers}
    need(len(excuses) == len(waivers), "settings.waivers", "a rule twice")
    for each in waivers:
        rule = by_id.get(each["rule"], {})
        covered = rule.get("outcome") == "failed" and rule["operation"] == each["operation"] and decides(rule, settings)
        need(covered, each["rule"], "the waiver covers nothing")
    for rule in report["rules"]:
        excuse = excuses.get(rule["id"] if rule["outcome"] == "failed" else rule.get("behind", ""))
        if "expectedFailure" in rule or rule["id"] in excuses:
            need(rule.get("expectedFailure") == excuse, rule["id"], "is excused by no waiver")


def decides(rule, settings):
    return rule["level"] in LEVELS[: LEVELS.index(settings["gate"]) + 1] and "newSince" not in rule


def written(milliseconds):
    time = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=milliseconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"


def check_statement(predicate, recording, report, challenge, now):
    settings, waivers = recording["settings"], recording["settings"].get("waivers", [])
    waivers = [{**each, "waiting": waiting(each["rule"], report, settings)} for each in waivers]
    waits = sum(len(each["waiting"]) for each in waivers)
    plural = lambda number, noun: f"{number:,} {noun}{'' if number == 1 else 's'}"
    title = f"conformant with {plural(len(waivers), 'waiver')}" if waivers else "conformant"
    rules = sorted(f"{each['id']} {each['level']}\n" for each in report["rules"] if "newSince" not in each)
    for name, value in (
        ("title", title + (f", {plural(waits, 'rule')} not judged" if waits else "")), ("waivers", waivers),
        ("baseUrl", settings["baseUrl"]), ("gate", settings["gate"]), ("reference", settings.get("reference")),
        ("requests", report["requests"]), ("runs", settings["runs"]), ("store", report.get("store")), ("counts", report["counts"]),
        ("profile", {
            "name": settings["profile"], "revision": report["revision"], "digest": sha256("".join(rules).encode()),
        }),
        ("suite", {**(report.get("suite") or {}), "digest": predicate["suite"]["digest"]}),
        ("startedAt", written(recording["startedAt"])),
        ("finishedAt", written(recording["startedAt"] + report["durationMs"])),
    ):
        need(predicate.get(name) == value, f"predicate.{name}", "does not follow from report and recording")
    need(("seed" in predicate) != ("challenge" in predicate), "predicate", "seed or challenge")
    need(settings["seed"] == predicate.get("seed", 0), "predicate.seed")
    need(challenge is None or predicate.get("challenge") == challenge, "predicate.challenge")
    finished, issued, until = (moment(predicate[name]) for name in ("finishedAt", "issuedAt", "validUntil"))
    need(finished <= issued < until, "predicate", "order of times")
    need(until >= now, "predicate.validUntil", "expired")
    need(issued <= now + timedelta(days=1), "predicate.issuedAt", "future")
    for each in waivers:
        need(until <= moment(each["expires"] + "T23:59:59.999Z"), "predicate.validUntil", "after a waiver")


def waiting(waived, report, settings):
    return [
        rule["id"] for rule in report["rules"]
        if rule["outcome"] != "failed" and "expectedFailure" in rule and rule.get("behind") == waived and decides(rule, settings)
    ]


def check_values(predicate, recording):
    """Every request of the suite has the id that follows from the challenge or the seed."""
    settings = recording["settings"]
    key, salt = f"seed {settings['seed']}", ""
    if "challenge" in predicate:
        names = ("baseUrl", "profile", "runs", "storeName", "storeVersion")
        bound = [predicate["suite"]["digest"], *(settings.get(name) for name in names)]
        key, salt = f"challenge {predicate['challenge']}", json.dumps(bound, ensure_ascii=False, separators=(",", ":"))
    for at, each in enumerate(recording["events"]):
        if each["kind"] != "exchange":
            continue
        headers = [(name.lower(), value) for name, value in each["request"]["headers"]]
        announced = ("user-agent", "store-conformance") in headers
        wanted = [derived(key, salt, f"request {each['nth']}", each["scenario"], 16).hex()] if announced else []
        given = [value for name, value in headers if name == "x-request-id"]
        need(given == wanted, f"events[{at}]", "X-Request-Id does not follow from the challenge or seed")


def derived(key, salt, use, scenario, length):
    """HKDF-SHA256 (RFC 5869) of at most 32 bytes."""
    mac = lambda secret, data: hmac.new(secret, data, hashlib.sha256).digest()
    information = f"store-conformance {use}\n{scenario}".encode()
    return mac(mac(salt.encode(), key.encode()), information + b"\1")[:length]


for line in open(sys.argv[1]):
    given = json.loads(line)
    try:
        check(**{**given, "now": moment(given["now"])})
        print("null")
    except Refused as error:
        print(json.dumps(str(error)))
