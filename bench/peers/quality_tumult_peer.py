"""Tumult Analytics: one query a column, each with its even part of ε; noise by its core's samplers at the scales that its session states for a query. Needs Java 17."""

import math
import os
import sys
import tempfile

os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402
from tmlt.analytics import (  # noqa: E402
    AddOneRow,
    AddRowsWithID,
    KeySet,
    MaxGroupsPerID,
    MaxRowsPerGroupPerID,
    PureDPBudget,
    QueryBuilder,
    Session,
)
from tmlt.core.random.rng import prng  # noqa: E402

from serve import serve

spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.driver.memory", "2g")
    .config("spark.sql.warehouse.dir", tempfile.mkdtemp())
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
sessions = {}


def session_of(table, folder):
    name = table["name"]
    if name not in sessions:
        frame = spark.read.csv(f"{folder}/{name}.csv", header=True, inferSchema=True)
        for column in ("day", "month"):
            if column in frame.columns:
                frame = frame.withColumn(column, frame[column].cast("string"))
        change = AddRowsWithID(table["unit"]) if table["unit"] else AddOneRow()
        sessions[name] = Session.from_dataframe(PureDPBudget(1000), name, frame, protected_change=change)
    return sessions[name]


def noise(info, count):
    if "GEOMETRIC" not in str(info["noise_mechanism"]):
        raise ValueError(f"noise that is not known: {info}")
    # The law that its mechanism states, from its own source: the mechanism itself takes a millisecond a draw.
    chance = 1 - math.exp(-1 / info["noise_parameter"])
    return [int(x) for x in prng().geometric(chance, count) - prng().geometric(chance, count)]


def asked_of(column, query, bounds):
    kind, of = column["kind"], column.get("of")
    if kind in ("count", "count-users"):
        stat = "rows" if kind == "count" else "users"
        counted = query.count() if kind == "count" else query.count_distinct(["user_id"])
        return counted, [{"stat": stat, "where": column.get("where")}], lambda ids: {"make": "total", "total": ids[0]}
    lo, hi = bounds[of]
    if kind == "sum":
        return query.sum(of, lo, hi), [{"stat": "sum", "of": of}], lambda ids: {"make": "total", "total": ids[0]}
    middle, squares = (lo + hi) / 2, (lo * lo + hi * hi) / 2
    summed = {"stat": "sum", "of": of, "from": middle}
    if kind == "avg":
        make = lambda ids: {"make": "mean", "sum": ids[0], "count": ids[1], "from": middle}
        return query.average(of, lo, hi), [summed, {"stat": "rows"}], make
    make = lambda ids: {"make": "variance", "sum": ids[0], "squares": ids[1], "count": ids[2], "from": middle, "squaresFrom": squares}
    return query.variance(of, lo, hi), [summed, {"stat": "squares", "of": of, "from": squares}, {"stat": "rows"}], make


def way(session, workload, table, epsilon, runs, columns):
    key, groups = workload["key"], workload["groups"]
    asked = []
    for column in columns:
        # A share is a count over a count.
        asked += [{**column, "kind": "count"}, {"kind": "count"}] if column["kind"] == "share" else [column]
    # What is asked alike is asked once.
    different = list({str(each): each for each in asked}.values())
    budget = PureDPBudget(epsilon / len(different))
    measurements, made = {}, {}
    for column in different:
        query = QueryBuilder(table["name"])
        if table["unit"]:
            query = query.enforce(MaxGroupsPerID(key, 1)).enforce(MaxRowsPerGroupPerID(key, table["mostRows"]))
        if column.get("where"):
            query = query.filter(f"{column['where']['column']} = '{column['where']['is']}'")
        if key:
            query = query.groupby(KeySet.from_dict({key: groups}))
        query, stats, make = asked_of(column, query, table["bounds"])
        stated = session._noise_info(query, budget)
        ids = [f"m{len(measurements) + at}" for at in range(len(stats))]
        count = runs * (len(groups) if groups else 1)
        for name, stat, info in zip(ids, stats, stated, strict=True):
            measurements[name] = {**stat, "noise": noise(info, count)}
        made[str(column)] = make(ids)
    columns_made = []
    for column in columns:
        if column["kind"] == "share":
            part, whole = made[str({**column, "kind": "count"})], made[str({"kind": "count"})]
            columns_made.append({"make": "share", "part": part["total"], "whole": whole["total"]})
        else:
            columns_made.append(made[str(column)])
    return {"measurements": measurements, "columns": columns_made}


def draws(workload, table, folder, epsilon, delta, runs):
    session = session_of(table, folder)
    return lambda: [way(session, workload, table, epsilon, runs, workload["columns"])]


serve({"draws": draws})
