# The analyzer and the reference implementation of GoogleSQL (zetasql, as WebAssembly) behind as much of BigQuery's REST
# interface as svc uses: datasets, tables, jobs that are tried dry, run, are paged, time out and are cancelled.
#   server.py PROJECT DATASET CACHE_FOLDER, with the tables as JSON on standard input
# Prints its port. GET /heard gives what was asked since, GET /running how many jobs are not done.
import ctypes
import decimal
import json
import os
import re
import signal
import sys
import threading
import time
from datetime import date, timedelta
from itertools import islice
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

import wasmtime

PROJECT, DATASET, CACHE = sys.argv[1:4]
from_file = wasmtime.Module.from_file


def kept(engine, path):
    """Compiled once for all starts."""
    compiled = os.path.join(CACHE, "googlesql.compiled")
    if not os.path.exists(compiled):
        part = f"{compiled}.{os.getpid()}"
        with open(part, "wb") as file:
            file.write(from_file(engine, path).serialize())
        os.rename(part, compiled)
    return wasmtime.Module.deserialize_file(engine, compiled)


wasmtime.Module.from_file = staticmethod(kept)

import zetasql.types as types
from zetasql.api import CatalogBuilder, Parser, TableBuilder
from zetasql.core import ZetaSqlLocalService
from zetasql.core.wasm_client import WasmClient
from zetasql.wasi._pb2.zetasql.local_service import local_service_pb2 as messages

language = types.LanguageOptions.maximum_features()
language.product_mode = types.ProductMode.PRODUCT_EXTERNAL
FUNCTIONS = types.ZetaSQLBuiltinFunctionOptions(language_options=language)
REST_TYPE = {"INT64": "INTEGER", "DOUBLE": "FLOAT", "BOOL": "BOOLEAN", "STRUCT": "RECORD"}
KINDS = {"INT64": "TYPE_INT64", "FLOAT64": "TYPE_DOUBLE"}
engine = threading.Lock()
# Rows of a result: more are not read by anybody here, and take long to write down.
KEPT = 100_000
heard = []
jobs = {}


class Refused(Exception):
    def __init__(self, reason, message, status=400):
        super().__init__(message)
        self.told = {"reason": reason, "message": message}
        self.status = status


def read(client, at, size):
    return ctypes.string_at(ctypes.addressof(client.memory.data_ptr().contents) + at, size)


def write(client, at, data):
    ctypes.memmove(ctypes.addressof(client.memory.data_ptr().contents) + at, data, len(data))


# The package copies each byte by itself.
WasmClient.read_bytes, WasmClient.write_bytes = read, write


def call(method, request, response):
    return ZetaSqlLocalService.get_instance().wasm_client.call_grpc_func(f"ZetaSqlLocalService_{method}", request, response)


def prepare(sql, zone, **catalog):
    options = types.AnalyzerOptions(language_options=language, default_timezone=zone).to_proto()
    request = messages.PrepareQueryRequest(sql=sql, options=options, **catalog)
    try:
        return call("PrepareQuery", request, messages.PrepareQueryResponse).prepared
    except Exception as error:
        raise refusal(error) from error


def execute(prepared):
    request = messages.EvaluateQueryRequest(prepared_query_id=prepared.prepared_query_id)
    return call("EvaluateQuery", request, messages.EvaluateQueryResponse).content


def refusal(error):
    message = re.sub(r"^\[\w+\] ", "", str(error))
    missing = re.match(r"Table not found: (\S+)", message)
    if missing:
        return Refused("notFound", f"Not found: Table {PROJECT}:{missing[1]} was not found", 404)
    return Refused("invalidQuery", message)


def load(tables):
    plain = CatalogBuilder("plain").with_builtin_functions(FUNCTIONS).build().to_proto()
    catalog = CatalogBuilder("catalog").with_builtin_functions(FUNCTIONS)
    contents = {}
    for table in tables:
        built = TableBuilder(table["name"])
        for column in table["columns"]:
            built.add_column(column["name"], types.TypeKind[KINDS.get(column["type"], f"TYPE_{column['type']}")])
        catalog.add_table(built.build())
        contents[table["name"]] = execute(prepare(table["rows"], "UTC", simple_catalog=plain))
    request = messages.RegisterCatalogRequest(simple_catalog=catalog.build().to_proto(), table_content=contents)
    return call("RegisterCatalog", request, messages.RegisterResponse).registered_id


def field(name, kind):
    told = types.TypeKind(kind.type_kind).name.removeprefix("TYPE_")
    if told == "ARRAY":
        return {**field(name, kind.array_type.element_type), "mode": "REPEATED"}
    found = {"name": name, "type": REST_TYPE.get(told, told), "mode": "NULLABLE"}
    if told == "STRUCT":
        found["fields"] = [field(one.field_name, one.field_type) for one in kind.struct_type.field]
    return found


def fields(columns):
    """Columns without a name are counted."""
    found, unnamed = [], 0
    for column in columns:
        named = column.name and not column.name.startswith("$")
        found.append(field(column.name if named else f"f{unnamed}_", column.type))
        unnamed += not named
    return found


def scaled(data, places):
    number = int.from_bytes(data, "little", signed=True)
    with decimal.localcontext(prec=100):
        text = format(decimal.Decimal(number).scaleb(-places), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def clock(hour, minute, second, nanos):
    text = f"{hour:02}:{minute:02}:{second:02}"
    return text + (f".{nanos // 1000:06}" if nanos else "")


def value_of(value):
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    found = getattr(value, kind)
    if kind == "double_value":
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(repr(found), repr(found))
    if kind == "bool_value":
        return "true" if found else "false"
    if kind == "date_value":
        return (date(1970, 1, 1) + timedelta(days=found)).isoformat()
    if kind == "timestamp_value":
        return str(found.seconds * 1_000_000 + found.nanos // 1000)
    if kind == "datetime_value":
        bits = found.bit_field_datetime_seconds
        day = f"{bits >> 26:04}-{bits >> 22 & 15:02}-{bits >> 17 & 31:02}"
        return f"{day}T{clock(bits >> 12 & 31, bits >> 6 & 63, bits & 63, found.nanos)}"
    if kind == "time_value":
        return clock(found >> 42 & 31, found >> 36 & 63, found >> 30 & 63, found & (1 << 30) - 1)
    if kind == "numeric_value":
        return scaled(found, 9)
    if kind == "bignumeric_value":
        return scaled(found, 38)
    if kind == "array_value":
        return [{"v": value_of(one)} for one in found.element]
    if kind == "struct_value":
        return {"f": [{"v": value_of(one)} for one in found.field]}
    return str(found)


def local(query):
    """The analyzer's tables stand in no dataset; parameters are put in as constants of their types."""
    sql = query["query"]
    default = query.get("defaultDataset", {}).get("datasetId")
    names = rf"(?:`{PROJECT}`\.)?(?:`{DATASET}`|\b{DATASET}\b)\.(?=`?\w+)"
    given = [
        "NULL" if one["parameterValue"].get("value") is None
        else f"CAST({json.dumps(one['parameterValue']['value'], ensure_ascii=False)} AS {one['parameterType']['type']})"
        for one in query.get("queryParameters", [])
    ]
    parts = re.split(r"('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", sql)
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"\?", lambda _: given.pop(0) if given else "NULL", re.sub(names, "", parts[at]))
    if default not in (None, DATASET):
        raise Refused("notFound", f"Not found: Dataset {PROJECT}:{default}", 404)
    return "".join(parts)


def zone_of(query):
    """A project may have any zone for its own."""
    given = {one["key"]: one["value"] for one in query.get("connectionProperties", [])}
    return given.get("time_zone", "America/Los_Angeles")


def kind_of(sql):
    with engine:
        try:
            parsed = Parser.parse_statement_static(sql, language)
        except Exception as error:
            try:
                Parser.parse_script_static(sql, language)
                return "SCRIPT"
            except Exception:
                raise refusal(error) from error
    name = type(parsed).__name__.removeprefix("AST").removesuffix("Statement")
    return "SELECT" if name == "Query" else re.sub(r"(?<=.)([A-Z])", r"_\1", name).upper()


def dry(query):
    kind = kind_of(query["query"].rstrip().rstrip(";"))
    if kind != "SELECT":
        return {"statementType": kind, "totalBytesProcessed": "0"}
    with engine:
        columns = fields(prepare(local(query), zone_of(query), registered_catalog_id=CATALOG).columns)
    return {"statementType": kind, "totalBytesProcessed": str(bytes_of(query)), "schema": {"fields": columns}}


def bytes_of(query):
    """Eight bytes for each cell of each table that is named."""
    named = [table for table in TABLES if re.search(rf"\b{table['name']}\b", query["query"])]
    return sum(8 * table["count"] * len(table["columns"]) for table in named)


class Job:
    """A process of its own, so that it can be ended."""

    def __init__(self, configuration):
        self.query = configuration["query"]
        self.error = None
        self.rows = []
        self.schema = []
        self.done = threading.Event()
        self.started = threading.Event()
        self.stopped = False
        threading.Thread(target=self.run, daemon=True).start()
        limit = configuration.get("jobTimeoutMs")
        if limit:
            threading.Timer(int(limit) / 1000, self.stop).start()

    def run(self):
        try:
            most = self.query.get("maximumBytesBilled")
            if most and bytes_of(self.query) > int(most):
                raise Refused("bytesBilledLimitExceeded", f"Query exceeded limit for bytes billed: {most}.")
            kind = kind_of(self.query["query"].rstrip().rstrip(";"))
            if kind != "SELECT":
                raise Refused("invalidQuery", f"This server runs no {kind}")
            self.await_child()
        except Refused as refused:
            self.error = refused.told
        if self.stopped:
            self.error = {"reason": "stopped", "message": "Job execution was cancelled: User requested cancellation"}
        self.done.set()

    def await_child(self):
        reading, writing = os.pipe()
        with engine:
            self.child = os.fork()
        if self.child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.close(reading)
            with os.fdopen(writing, "w") as out:
                json.dump(self.answer(), out)
                out.flush()
            os._exit(0)
        os.close(writing)
        self.started.set()
        if self.stopped:
            os.kill(self.child, signal.SIGKILL)
        with os.fdopen(reading) as told:
            text = told.read()
        os.waitpid(self.child, 0)
        self.child = None
        answer = json.loads(text) if text else {"error": {"reason": "backendError", "message": "The process ended."}}
        self.error = answer.get("error")
        self.schema, self.rows = answer.get("schema", []), answer.get("rows", [])

    def answer(self):
        try:
            prepared = prepare(local(self.query), zone_of(self.query), registered_catalog_id=CATALOG)
            rows = [{"f": [{"v": value_of(cell)} for cell in row.cell]} for row in islice(execute(prepared).table_data.row, KEPT)]
            return {"schema": fields(prepared.columns), "rows": rows}
        except Refused as refused:
            return {"error": refused.told}
        except Exception as error:
            return {"error": refusal(error).told}

    def stop(self):
        if self.done.is_set():
            return
        self.stopped = True
        if self.started.is_set() and self.child:
            os.kill(self.child, signal.SIGKILL)


def shown(job_id, job):
    status = {"state": "DONE" if job.done.is_set() else "RUNNING"}
    if job.error:
        status["errorResult"] = job.error
    return {"jobReference": {"projectId": PROJECT, "jobId": job_id, "location": "US"}, "status": status}


def page(job_id, asked):
    job = jobs.get(job_id)
    if job is None:
        raise Refused("notFound", f"Not found: Job {PROJECT}:{job_id}", 404)
    if not job.done.wait(int(asked.get("timeoutMs", "10000")) / 1000):
        return {"jobComplete": False, **shown(job_id, job)}
    if job.error:
        raise Refused(job.error["reason"], job.error["message"])
    start = int(asked.get("pageToken", "0"))
    end = start + int(asked.get("maxResults", "100000"))
    more = {"pageToken": str(end)} if end < len(job.rows) else {}
    if asked.get("formatOptions.useInt64Timestamp") != "true":
        raise Refused("invalid", "This server writes instants in microseconds only")
    return {"jobComplete": True, "schema": {"fields": job.schema}, "totalRows": str(len(job.rows)), "rows": job.rows[start:end], **more}


def table(name):
    found = next((one for one in TABLES if one["name"] == name), None)
    if found is None:
        raise Refused("notFound", f"Not found: Table {PROJECT}:{DATASET}.{name}", 404)
    columns = [{**column, "type": REST_TYPE.get(column["type"], column["type"]).replace("FLOAT64", "FLOAT")} for column in found["columns"]]
    return {"type": "TABLE", "numRows": str(found["count"]), "schema": {"fields": columns}, "tableReference": {"tableId": name}}


def listed(key, items, asked):
    """Two to a page, so that there are several."""
    start = int(asked.get("pageToken", "0"))
    more = {"nextPageToken": str(start + 2)} if start + 2 < len(items) else {}
    return {key: items[start : start + 2], **more}


class Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer({})

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        self.answer(json.loads(self.rfile.read(length) or b"{}"))

    def answer(self, body):
        address = urlsplit(self.path)
        asked = {key: values[-1] for key, values in parse_qs(address.query).items()}
        try:
            status, reply = 200, self.reply([unquote(part) for part in address.path.split("/")[1:]], asked, body)
        except Refused as refused:
            status = refused.status
            reply = {"error": {"code": status, "message": str(refused), "errors": [refused.told]}}
            if os.environ.get("ENGINE_FAULTS"):
                print(json.dumps(body)[:600], refused, sep="\n", file=sys.stderr)
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def reply(self, path, asked, body):
        if path == ["heard"]:
            told = heard[:]
            del heard[: len(told)]
            return told
        if path == ["running"]:
            return sum(not job.done.is_set() for job in jobs.values())
        configuration = body.get("configuration")
        heard.append({
            "method": self.command, "path": self.path, "authorization": self.headers.get("authorization"),
            **({"configuration": configuration} if configuration else {}),
        })
        if path[:4] != ["bigquery", "v2", "projects", PROJECT]:
            raise Refused("accessDenied", f"Access Denied: Project {path[3] if len(path) > 3 else ''}", 403)
        rest = path[4:]
        if rest == ["datasets"]:
            return listed("datasets", [{"datasetReference": {"datasetId": DATASET}}], asked)
        if rest[:1] == ["datasets"] and rest[1:2] != [DATASET]:
            raise Refused("notFound", f"Not found: Dataset {PROJECT}:{rest[1]}", 404)
        if rest[:1] == ["datasets"] and len(rest) == 2:
            return {"datasetReference": {"datasetId": DATASET}}
        if rest[2:] == ["tables"]:
            return listed("tables", [{"tableReference": {"tableId": one["name"]}} for one in TABLES], asked)
        if rest[2:3] == ["tables"]:
            return table(rest[3])
        if rest == ["jobs"] and configuration:
            return self.job(body, configuration)
        if rest[:1] == ["jobs"] and rest[2:] == ["cancel"]:
            jobs[rest[1]].stop()
            return {"job": shown(rest[1], jobs[rest[1]])}
        if rest[:1] == ["queries"]:
            return page(rest[1], asked)
        raise Refused("notFound", f"No such address: {self.path}", 404)

    def job(self, body, configuration):
        query = configuration["query"]
        if query.get("useLegacySql") is not False:
            raise Refused("invalid", "Legacy SQL is the default of the service and not known here")
        if configuration.get("dryRun"):
            told = dry(query)
            return {"statistics": {"query": told, "totalBytesProcessed": told["totalBytesProcessed"]}, "status": {"state": "DONE"}}
        job_id = body["jobReference"]["jobId"]
        if job_id in jobs:
            raise Refused("duplicate", f"Already Exists: Job {job_id}", 409)
        jobs[job_id] = Job(configuration)
        return shown(job_id, jobs[job_id])


TABLES = json.load(sys.stdin)
CATALOG = load(TABLES)
server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
server.daemon_threads = True
print(server.server_address[1], flush=True)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server.serve_forever()
