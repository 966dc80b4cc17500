# Spark's SQL over a socket: a line of JSON asks, a line answers. Argument: a folder for its tables. Prints its port.
import datetime, decimal, json, os, socketserver, sys, threading

os.environ["TZ"] = "UTC"
from pyspark.sql import SparkSession

folder = sys.argv[1]
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.ansi.enabled", "true")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.sql.warehouse.dir", os.path.join(folder, "tables"))
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")


def cell(value):
    if isinstance(value, bool) or value is None or isinstance(value, (float, str)):
        return str(value) if isinstance(value, float) and (value != value or abs(value) == float("inf")) else value
    if isinstance(value, int):
        return {"big": str(value)} if abs(value) > 2**53 else value
    if isinstance(value, decimal.Decimal):
        text = format(value, "f")  # normalize() would round to 28 digits
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S.%f")
    if isinstance(value, datetime.date):
        return {"day": value.isoformat()}
    return str(value)


def argument(given):
    kind, value = given["type"], given["value"]
    if value is None:
        return None
    if kind == "DECIMAL":
        return decimal.Decimal(value)
    if kind == "DOUBLE":
        return float(value)
    if kind == "BOOLEAN":
        return value == "true"
    if kind == "DATE":
        return datetime.date.fromisoformat(value)
    if kind in ("TIMESTAMP", "TIMESTAMP_NTZ"):
        return datetime.datetime.fromisoformat(value)
    return value


class Asked(socketserver.StreamRequestHandler):
    def handle(self):
        asked = json.loads(self.rfile.readline())
        try:
            session = spark.newSession()
            session.sql("use `%s`" % asked.get("schema", "default"))
            found = session.sql(asked["sql"], args=[argument(one) for one in asked.get("parameters", [])] or None)
            rows = [[cell(value) for value in row] for row in found.collect()]
            answer = {"columns": found.columns, "rows": rows}
        except Exception as fault:
            answer = {"error": str(fault)}
        self.wfile.write((json.dumps(answer) + "\n").encode())


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Asked)
print(json.dumps({"port": server.server_address[1], "version": spark.version}), flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()
