"""asyncpg."""

import asyncio
import io
import ssl

import asyncpg
from wire_client import listed, place, questions, rows_of_csv, run

loop = asyncio.new_event_loop()
notices = []


def connected():
    tls = ssl.create_default_context(cafile=place["certificate"])
    words = {name: place[name] for name in ["host", "port", "user", "password", "database"]}
    return loop.run_until_complete(asyncpg.connect(**words, ssl=tls))


connection = connected()
connection.add_log_listener(lambda _, told: notices.append(told.message))


def waited(promise):
    return loop.run_until_complete(promise)


def answer(records):
    return {"columns": list(records[0].keys()), "rows": listed(record.values() for record in records)}


def tls():
    return {"user": waited(connection.fetchval("SELECT current_user"))}


def reflect():
    tables = waited(connection.fetch("SELECT table_name FROM information_schema.tables WHERE table_schema = $1", "public"))
    columns = waited(
        connection.fetch(
            "SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position", "people"
        )
    )
    return {"tables": [name for (name,) in tables], "columns": [name for (name,) in columns]}


def price():
    notices.clear()
    waited(connection.fetch(questions["literal"]))
    waited(asyncio.sleep(0))  # A listener is called by the loop, after the answer.
    return {"notices": list(notices)}


def simple():
    """A question of no parameters that its simple protocol sends gives no rows, so the rows are asked for by the other."""
    tag = waited(connection.execute(questions["literal"]))
    return {**answer(waited(connection.fetch(questions["literal"]))), "tag": tag}


def prepared():
    statement = waited(connection.prepare(questions["prepared"]))
    first = answer(waited(statement.fetch(place["age"])))
    return {**first, "same": first == answer(waited(statement.fetch(place["age"])))}


def binary():
    """It asks for binary results alone, of every type that is not one of texts."""
    return answer(waited(connection.fetch(questions["literal"])))


async def in_parts():
    async with connection.transaction():
        read = await connection.cursor(questions["literal"])
        return [await read.fetch(2), await read.fetch(2), await read.fetch(9)]


def cursor():
    parts = waited(in_parts())
    return {**answer(sum(parts, [])), "parts": [len(part) for part in parts]}


def copy():
    out = io.BytesIO()
    waited(connection.copy_from_query(questions["literal"], output=out, format="csv", header=True))
    binary = io.BytesIO()
    waited(connection.copy_from_query(questions["literal"], output=binary, format="binary"))
    return {**rows_of_csv(out.getvalue().decode()), "begins": binary.getvalue()[:6].decode()}


def cancel():
    """It calls off by itself once the time is over that its caller sets."""
    try:
        waited(connection.fetch(questions["slow"], timeout=0.5))
    except TimeoutError:
        state = "57014"
    return {"state": state, "again": waited(connection.fetchval(questions["slow"]))}


def refusal():
    try:
        waited(connection.fetch(questions["refused"]))
    except asyncpg.PostgresError as error:
        return {"state": error.sqlstate, "position": int(error.position), "hint": error.hint}


def repeat():
    told = price()["notices"]
    return {"rows": simple()["rows"], "notices": told}


run({name: act for name, act in globals().items() if name in place["features"]})
waited(connection.close())
