"""What the clients in Python share: where the service is, what they ask, and the line of JSON that each feature prints."""

import csv
import io
import json
import os
import threading

place = json.loads(os.environ["LETHE_WIRE_PLACE"])
questions = place["questions"]

libpq = " ".join(
    [
        f"host={place['host']} port={place['port']} dbname={place['database']}",
        f"user={place['user']} password={place['password']}",
        f"sslmode=verify-full sslrootcert={place['certificate']}",
    ]
)


def url(scheme, **more):
    """The same as a URL."""
    settings = {"sslmode": "verify-full", "sslrootcert": place["certificate"], **more}
    words = "&".join(f"{name}={value}" for name, value in settings.items())
    return f"{scheme}://{place['user']}:{place['password']}@{place['host']}:{place['port']}/{place['database']}?{words}"


def run(features):
    """Runs each feature that is wanted, and prints what came of it."""
    for name in place["features"]:
        try:
            line = {"feature": name, "told": features[name]()}
        except BaseException as error:
            line = {"feature": name, "failed": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), flush=True)


def listed(rows):
    """Rows as lists: what JSON can hold."""
    return [list(row) for row in rows]


def rows_of_csv(text):
    """The names of the columns and the rows of CSV with a header: a key, and three numbers."""
    header, *rows = csv.reader(io.StringIO(text))
    return {"columns": header, "rows": [[key, *map(float, numbers)] for key, *numbers in rows]}


def called_off(ask, cancel):
    """Asks on a thread, and calls off again and again until it ends: a call that comes before the question does nothing. Returns the error, or None."""
    met = []

    def asking():
        try:
            ask()
        except Exception as error:
            met.append(error)

    thread = threading.Thread(target=asking)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
        if thread.is_alive():
            cancel()
    return met[0] if met else None
