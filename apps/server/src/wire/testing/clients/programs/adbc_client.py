"""ADBC, to Arrow."""

import adbc_driver_postgresql.dbapi
from wire_client import called_off, place, questions, run, url

connection = adbc_driver_postgresql.dbapi.connect(url("postgresql"), autocommit=True)


def asked(text, values=None, **options):
    with connection.cursor(adbc_stmt_kwargs=options) as cursor:
        cursor.execute(text, values)
        return answer(cursor.fetch_arrow_table())


def answer(table):
    return {
        "columns": table.column_names,
        "rows": [list(row.values()) for row in table.to_pylist()],
        "types": [str(kind) for kind in table.schema.types],
    }


def tls():
    return {"user": asked("SELECT current_user")["rows"][0][0]}


def binding():
    with adbc_driver_postgresql.dbapi.connect(url("postgresql", channel_binding="require")) as bound:
        with bound.cursor() as cursor:
            cursor.execute("SELECT current_user")
            return {"user": cursor.fetchone()[0]}


def reflect():
    (catalog,) = connection.adbc_get_objects(catalog_filter=place["database"]).read_all().to_pylist()
    schemas = {each["db_schema_name"]: each["db_schema_tables"] for each in catalog["catalog_db_schemas"]}
    tables = {each["table_name"]: each["table_columns"] for each in schemas["public"]}
    return {
        "tables": list(tables),
        "columns": [column["column_name"] for column in tables["people"]],
        "schema": connection.adbc_get_table_schema("people").names,
    }


def simple():
    return asked(questions["literal"])


def prepared():
    first = asked(questions["prepared"], (place["age"],))
    return {**first, "same": first == asked(questions["prepared"], (place["age"],))}


binary = simple


def copy():
    """It asks by COPY in binary, unless it is told not to."""
    told = asked(questions["literal"])
    plain = asked(questions["literal"], **{"adbc.postgresql.use_copy": "false"})
    return {**told, "binary": plain["rows"]}


def cancel():
    with connection.cursor() as cursor:

        def ask():
            cursor.execute(questions["slow"])
            cursor.fetch_arrow_table()

        error = called_off(ask, cursor.adbc_cancel)
    return {"state": error.sqlstate, "again": asked(questions["slow"])["rows"][0][0]}


def refusal():
    try:
        asked(questions["refused"])
    except adbc_driver_postgresql.dbapi.Error as error:
        told = {name.decode(): value.decode() for name, value in error.details}
        return {
            "state": error.sqlstate,
            "position": int(told["PG_DIAG_STATEMENT_POSITION"]),
            "hint": told.get("PG_DIAG_MESSAGE_HINT"),
            "details": told,
        }


def repeat():
    return {"rows": simple()["rows"]}


run({name: act for name, act in globals().items() if name in place["features"]})
connection.close()
