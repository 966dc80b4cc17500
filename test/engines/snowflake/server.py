"""The fakesnow emulator behind as much of Snowflake's own manners as its Node client needs, which fakesnow 0.12.1 leaves out:
rows as JSON (the Node client reads no Arrow), logins that are refused, statements of one session side by side, canceled statements.

    python server.py USER PASSWORD TOKEN PUBLIC_KEY_FILE

Prints its port. POST /owner runs a statement past every login. GET /log gives the statements that reached the emulator since it
was last asked, with their parameters; GET /running how many it still works on; POST /forget ends every session."""

import asyncio
import decimal
import gzip
import json
import socket
import sys
from base64 import b64decode, urlsafe_b64decode
from datetime import date, datetime, time, timezone
from importlib import import_module

import duckdb
import uvicorn
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

fake = import_module("fakesnow.server")
# It sums numbers as floats; Snowflake does not.
import_module("fakesnow.transforms").numeric_agg_implicit_cast = lambda expression: expression
USER, PASSWORD, TOKEN, PUBLIC_KEY_FILE = sys.argv[1:5]
PUBLIC_KEY = load_pem_public_key(open(PUBLIC_KEY_FILE, "rb").read())
EPOCH = datetime(1970, 1, 1)

log: list[dict] = []
placed: dict[str, tuple] = {}
working: dict[str, object] = {}


def seconds(moment: datetime) -> str:
    micros = (moment - EPOCH) // (EPOCH.resolution)
    whole, rest = divmod(micros, 1_000_000)
    # Snowflake writes one decimal number, below nothing too.
    value = decimal.Decimal(whole) + decimal.Decimal(rest) / 1_000_000
    return f"{value:.9f}"


def text_of(value, kind: str):
    """A value as Snowflake's JSON has it."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is not None:
            return f"{seconds(value.astimezone(timezone.utc).replace(tzinfo=None))} 1440"
        return seconds(value)
    if isinstance(value, date):
        return str((value - EPOCH.date()).days)
    if isinstance(value, time):
        return f"{value.hour * 3600 + value.minute * 60 + value.second}.{value.microsecond:06d}000"
    if isinstance(value, bytes):
        return value.hex().upper()
    if kind == "fixed":
        return f"{decimal.Decimal(value):f}" if not isinstance(value, float) else str(value)
    return str(value)


# The emulator makes Arrow of its rows in two steps; here they make JSON.
fake.to_sf = lambda table, rowtype: (table, rowtype)
fake.to_ipc = lambda made: json.dumps(
    [
        [text_of(value, column["type"]) for value, column in zip(row, made[1])]
        for row in zip(*[column.to_pylist() for column in made[0].columns])
    ]
).encode()


async def body_of(request: Request) -> dict:
    body = await request.body()
    if request.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    return json.loads(body or b"{}")


def is_known(data: dict) -> bool:
    if data.get("AUTHENTICATOR") == "SNOWFLAKE_JWT":
        signed, _, signature = data["TOKEN"].rpartition(".")
        try:
            PUBLIC_KEY.verify(urlsafe_b64decode(signature + "=="), signed.encode(), PKCS1v15(), SHA256())
        except InvalidSignature:
            return False
        return f".{USER.upper()}" in json.loads(urlsafe_b64decode(signed.split(".")[1] + "=="))["sub"]
    if data.get("AUTHENTICATOR") == "OAUTH":
        return data.get("TOKEN") == TOKEN
    return data.get("LOGIN_NAME") == USER and data.get("PASSWORD") == PASSWORD


def refused(code: str, message: str) -> JSONResponse:
    return JSONResponse({"data": {}, "code": code, "message": message, "success": False})


async def login(request: Request) -> JSONResponse:
    if not is_known((await body_of(request))["data"]):
        return refused("390100", "Incorrect username or password was specified.")
    database, schema = request.query_params.get("databaseName"), request.query_params.get("schemaName")
    reply = await fake.login_request(request)
    token = json.loads(reply.body)["data"]["token"]
    placed[token] = (database, schema)
    return reply


async def query(request: Request) -> JSONResponse:
    asked = await body_of(request)
    sql = asked["sqlText"]
    if sql == "use secondary roles none":
        # fakesnow knows no roles; what it is asked is noted.
        log.append({"sql": sql, "parameters": {}})
        sql = asked["sqlText"] = "select 1 as one"
        request._body = json.dumps(asked).encode()
        headers = [(k, v) for k, v in request.scope["headers"] if k != b"content-encoding"]
        request.scope["headers"] = headers
        del request._headers
    else:
        log.append({"sql": sql, "parameters": asked.get("parameters", {}), "binds": asked.get("bindings", {})})
    token = fake.to_token(request)
    if token not in placed:
        return refused("390104", "User must login again to access the service.")
    database, schema = placed[token]
    # Statements of one session run side by side, each on a connection of its own.
    conn = fake.shared_fs.connect(database, schema)
    id = request.query_params.get("requestId", "")
    working[id] = conn
    fake.sessions[token] = conn
    try:
        return as_json(await fake.query_request(request), asked.get("parameters", {}))
    except duckdb.InterruptException:
        return refused("000604", "SQL execution canceled")
    finally:
        del working[id]


def as_json(reply: JSONResponse, parameters: dict) -> JSONResponse:
    told = json.loads(reply.body)
    if reply.status_code != 200 and "Unhandled exception" in str(told.get("message")):
        told["success"] = False
        told["data"] = {}
        return JSONResponse(told)
    data = told.get("data") or {}
    if "rowsetBase64" in data:
        rows = data.pop("rowsetBase64")
        data["rowset"] = json.loads(b64decode(rows)) if rows else []
        data["queryResultFormat"] = "json"
        data["returned"] = len(data["rowset"])
        data["version"] = 1
        # The client takes formats from what the server says it uses.
        data.setdefault("parameters", []).extend({"name": k, "value": v} for k, v in parameters.items() if k.endswith("_FORMAT"))
    return JSONResponse(told, reply.status_code)


async def abort(request: Request) -> JSONResponse:
    conn = working.get((await body_of(request)).get("requestId", ""))
    if conn is None:
        return refused("000605", "Identified SQL statement is not currently executing.")
    conn._duck_conn.interrupt()
    return JSONResponse({"success": True, "data": None})


async def owner(request: Request) -> PlainTextResponse:
    sql = (await request.body()).decode()

    def run():
        cursor = fake.shared_fs.connect("WORKSHOP", "SHOP").cursor()
        cursor.execute(sql)
        return cursor.fetchall()

    try:
        return PlainTextResponse(json.dumps(await run_in_threadpool(run), default=str))
    except Exception as error:  # noqa: BLE001
        return PlainTextResponse(str(error), 500)


async def told(request: Request) -> JSONResponse:
    found = list(log)
    log.clear()
    return JSONResponse(found)


async def forget(request: Request) -> JSONResponse:
    placed.clear()
    return JSONResponse(None)


async def running(request: Request) -> JSONResponse:
    return JSONResponse(len(working))


app = Starlette(
    routes=[
        Route("/session/v1/login-request", login, methods=["POST"]),
        Route("/queries/v1/query-request", query, methods=["POST"]),
        Route("/queries/v1/abort-request", abort, methods=["POST"]),
        Route("/owner", owner, methods=["POST"]),
        Route("/log", told),
        Route("/running", running),
        Route("/forget", forget, methods=["POST"]),
        *[route for route in fake.routes if route.path.startswith("/session")],
    ]
)


async def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])


asyncio.run(main())
