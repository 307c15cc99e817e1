"""psycopg 3."""

import psycopg
import psycopg.types
from wire_client import called_off, libpq, listed, place, questions, rows_of_csv, run

connection = psycopg.connect(libpq, autocommit=True)
notices = []
connection.add_notice_handler(lambda told: notices.append(told.message_primary))


def answer(cursor):
    return {"columns": [column.name for column in cursor.description], "rows": listed(cursor.fetchall())}


def tls():
    return {"user": connection.execute("SELECT current_user").fetchone()[0]}


def binding():
    with psycopg.connect(libpq, channel_binding="require") as bound:
        return {"user": bound.execute("SELECT current_user").fetchone()[0]}


def reflect():
    tables = connection.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = %s", ("public",))
    columns = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position", ("people",)
    )
    hstore = psycopg.types.TypeInfo.fetch(connection, "hstore")
    return {
        "tables": [name for (name,) in tables],
        "columns": [name for (name,) in columns],
        "types": [psycopg.types.TypeInfo.fetch(connection, "float8").oid, hstore],
    }


def price():
    connection.execute(questions["literal"])
    return {"notices": notices}


def simple():
    return answer(psycopg.ClientCursor(connection).execute(questions["literal"]))


def prepared():
    by = questions["prepared"].replace("$1", "%s")
    first = answer(connection.execute(by, (place["age"],), prepare=True))
    second = answer(connection.execute(by, (place["age"],), prepare=True))
    return {**first, "same": first == second}


def binary():
    cursor = connection.cursor(binary=True)
    cursor.execute(questions["literal"])
    return {**answer(cursor), "formats": [cursor.pgresult.fformat(at) for at in range(4)]}


def cursor():
    with connection.transaction(), connection.cursor(name="parts") as named:
        named.execute(questions["literal"])
        columns = [column.name for column in named.description]
        parts = [listed(named.fetchmany(2)), listed(named.fetchmany(2)), listed(named.fetchall())]
    return {"columns": columns, "rows": sum(parts, []), "parts": [len(part) for part in parts]}


def copy():
    with connection.cursor().copy(f"COPY ({questions['literal']}) TO STDOUT (FORMAT csv, HEADER)") as out:
        told = rows_of_csv("".join(bytes(part).decode() for part in out))
    with connection.cursor().copy(f"COPY ({questions['literal']}) TO STDOUT (FORMAT binary)") as out:
        out.set_types(["text", "float8", "float8", "float8"])
        return {**told, "binary": listed(out.rows())}


def cancel():
    error = called_off(lambda: connection.execute(questions["slow"]), connection.cancel_safe)
    return {"state": error.sqlstate, "again": connection.execute(questions["slow"]).fetchone()[0]}


def refusal():
    try:
        connection.execute(questions["refused"])
    except psycopg.Error as error:
        told = error.diag
        return {"state": error.sqlstate, "position": int(told.statement_position), "hint": told.message_hint}


def repeat():
    notices.clear()
    rows = answer(connection.execute(questions["literal"]))["rows"]
    return {"rows": rows, "notices": notices}


run({name: act for name, act in globals().items() if name in place["features"]})
connection.close()
