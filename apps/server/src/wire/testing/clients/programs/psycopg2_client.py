"""psycopg 2."""

import io

import psycopg2
import psycopg2.extras
from wire_client import called_off, libpq, listed, place, questions, rows_of_csv, run

connection = psycopg2.connect(libpq)
connection.autocommit = True


def asked(text, values=None, on=None):
    cursor = on or connection.cursor()
    cursor.execute(text, values)
    return {"columns": [column.name for column in cursor.description], "rows": listed(cursor.fetchall())}


def tls():
    return {"user": asked("SELECT current_user")["rows"][0][0]}


def binding():
    with psycopg2.connect(libpq, channel_binding="require") as bound:
        return {"user": asked("SELECT current_user", on=bound.cursor())["rows"][0][0]}


def reflect():
    """As SQLAlchemy does when it connects, it looks for the extension hstore."""
    hstore = psycopg2.extras.HstoreAdapter.get_oids(connection)
    tables = asked("SELECT table_name FROM information_schema.tables WHERE table_schema = %s", ("public",))
    columns = asked(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position", ("people",)
    )
    return {
        "tables": [name for (name,) in tables["rows"]],
        "columns": [name for (name,) in columns["rows"]],
        "hstore": hstore,
    }


def price():
    connection.notices.clear()
    asked(questions["literal"])
    return {"notices": [text.removeprefix("NOTICE:").strip() for text in connection.notices]}


def simple():
    return asked(questions["literal"])


def prepared():
    """Its parameters are written into the text."""
    by = questions["prepared"].replace("$1", "%s")
    first = asked(by, (place["age"],))
    return {**first, "same": first == asked(by, (place["age"],))}


def cursor():
    connection.autocommit = False
    named = connection.cursor(name="parts")
    named.execute(questions["literal"])
    parts = [listed(named.fetchmany(2))]
    columns = [column.name for column in named.description]
    parts += [listed(named.fetchmany(2)), listed(named.fetchall())]
    connection.commit()
    connection.autocommit = True
    return {"columns": columns, "rows": sum(parts, []), "parts": [len(part) for part in parts]}


def copy():
    out = io.StringIO()
    connection.cursor().copy_expert(f"COPY ({questions['literal']}) TO STDOUT (FORMAT csv, HEADER)", out)
    return rows_of_csv(out.getvalue())


def cancel():
    error = called_off(lambda: asked(questions["slow"]), connection.cancel)
    return {"state": error.pgcode, "again": asked(questions["slow"])["rows"][0][0]}


def refusal():
    try:
        asked(questions["refused"])
    except psycopg2.Error as error:
        told = error.diag
        return {"state": error.pgcode, "position": int(told.statement_position), "hint": told.message_hint}


def repeat():
    return {"rows": asked(questions["literal"])["rows"], "notices": price()["notices"]}


run({name: act for name, act in globals().items() if name in place["features"]})
connection.close()
