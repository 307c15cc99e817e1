"""pandas, over SQLAlchemy and psycopg 3."""

import pandas
import pandas.io.sql
import sqlalchemy
from wire_client import place, questions, run, url

engine = sqlalchemy.create_engine(url("postgresql+psycopg"))


def answer(frame):
    return {"columns": list(frame.columns), "rows": frame.to_numpy().tolist()}


def tls():
    return {"user": pandas.read_sql("SELECT current_user", engine)["current_user"][0]}


def binding():
    bound = sqlalchemy.create_engine(url("postgresql+psycopg", channel_binding="require"))
    return {"user": pandas.read_sql("SELECT current_user", bound)["current_user"][0]}


def reflect():
    """What read_sql_table stands on; the rows themselves are refused."""
    with engine.connect() as connection:
        reads = pandas.io.sql.SQLDatabase(connection)
        table = reads.get_table("people")
        return {"tables": ["people"] if reads.has_table("people") else [], "columns": [column.name for column in table.columns]}


def simple():
    frame = pandas.read_sql(questions["literal"], engine)
    return {**answer(frame), "types": [str(kind) for kind in frame.dtypes]}


def prepared():
    by = sqlalchemy.text(questions["prepared"].replace("$1", ":age"))
    frames = [answer(pandas.read_sql(by, engine, params={"age": place["age"]})) for _ in range(2)]
    return {**frames[0], "same": frames[0] == frames[1]}


def cursor():
    with engine.connect().execution_options(stream_results=True) as connection:
        parts = [answer(frame) for frame in pandas.read_sql(questions["literal"], connection, chunksize=2)]
    return {
        "columns": parts[0]["columns"],
        "rows": sum((part["rows"] for part in parts), []),
        "parts": [len(part["rows"]) for part in parts],
    }


def refusal():
    try:
        pandas.read_sql(questions["refused"], engine)
    except pandas.errors.DatabaseError as error:
        told = error.__cause__.orig.diag
        return {"state": told.sqlstate, "position": int(told.statement_position), "hint": told.message_hint}


def repeat():
    return {"rows": simple()["rows"]}


run({name: act for name, act in globals().items() if name in place["features"]})
engine.dispose()
