"""SQLAlchemy, over psycopg 2 as it is without a further word."""

import logging

import sqlalchemy
from wire_client import called_off, listed, place, questions, run, url

engine = sqlalchemy.create_engine(url("postgresql+psycopg2"))


def asked(text, values=None, **options):
    with engine.connect().execution_options(**options) as connection:
        answer = connection.execute(sqlalchemy.text(text), values or {})
        return {"columns": list(answer.keys()), "rows": listed(answer.fetchall())}


def tls():
    return {"user": asked("SELECT current_user")["rows"][0][0]}


def binding():
    bound = sqlalchemy.create_engine(url("postgresql+psycopg2", channel_binding="require"))
    with bound.connect() as connection:
        return {"user": connection.scalar(sqlalchemy.text("SELECT current_user"))}


def reflect():
    seen = sqlalchemy.inspect(engine)
    columns = seen.get_columns("people")
    made = sqlalchemy.Table("people", sqlalchemy.MetaData(), autoload_with=engine)
    return {
        "tables": seen.get_table_names(),
        "columns": [column["name"] for column in columns],
        "types": [str(column["type"]) for column in columns],
        "keys": [seen.get_pk_constraint("people")["constrained_columns"], seen.get_foreign_keys("people"), seen.get_indexes("people")],
        "made": [column.name for column in made.columns],
    }


def with_notices():
    """It hands notices to a logger, and forgets them."""
    notices = []
    handler = logging.Handler()
    handler.emit = lambda record: notices.append(record.getMessage().removeprefix("NOTICE:").strip())
    logger = logging.getLogger("sqlalchemy.dialects.postgresql")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    with engine.connect() as connection:
        notices.clear()
        rows = listed(connection.execute(sqlalchemy.text(questions["literal"])).fetchall())
    logger.removeHandler(handler)
    return {"rows": rows, "notices": notices}


price = with_notices
repeat = with_notices


def simple():
    """The question as its expression language writes it."""
    people = sqlalchemy.table("people", *map(sqlalchemy.column, ["age", "sector", "wage"]))
    mean = sqlalchemy.func.avg(people.c.wage).label("mean")
    asked = sqlalchemy.select(people.c.sector, mean).where(people.c.age >= place["age"])
    with engine.connect() as connection:
        answer = connection.execute(asked.group_by(people.c.sector).order_by(people.c.sector))
        return {"columns": list(answer.keys()), "rows": listed(answer.fetchall())}


def prepared():
    by = questions["prepared"].replace("$1", ":age")
    first = asked(by, {"age": place["age"]})
    return {**first, "same": first == asked(by, {"age": place["age"]})}


def cursor():
    with engine.connect().execution_options(stream_results=True, max_row_buffer=2) as connection:
        answer = connection.execute(sqlalchemy.text(questions["literal"]))
        parts = [listed(part) for part in answer.partitions(2)]
        return {"columns": list(answer.keys()), "rows": sum(parts, []), "parts": [len(part) for part in parts]}


def cancel():
    with engine.connect() as connection:
        driver = connection.connection.dbapi_connection
        error = called_off(lambda: connection.execute(sqlalchemy.text(questions["slow"])), driver.cancel)
    return {"state": error.orig.pgcode, "again": asked(questions["slow"])["rows"][0][0]}


def refusal():
    try:
        asked(questions["refused"])
    except sqlalchemy.exc.DBAPIError as error:
        told = error.orig.diag
        return {"state": told.sqlstate, "position": int(told.statement_position), "hint": told.message_hint}


run({name: act for name, act in globals().items() if name in place["features"]})
engine.dispose()
