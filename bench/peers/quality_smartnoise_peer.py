"""SmartNoise SQL: the question as its SQL says it; noise by the mechanisms that its reader compiles, one for each column of its subquery."""

import re

import numpy as np
import pandas as pd
from snsql import Privacy, from_connection

from serve import serve


def metadata(table):
    columns = {name: {"type": "string"} for name in table["categories"]}
    columns |= {name: {"type": "int", "lower": lo, "upper": hi} for name, (lo, hi) in table["bounds"].items()}
    if table["unit"]:
        columns[table["unit"]] = {"type": "string", "private_id": True}
        options = {"max_ids": table["mostRows"], "sample_max_ids": True}
    else:
        options = {"row_privacy": True}
        columns["month_of_day"] = {"type": "string"}
    return {"": {"main": {table["name"]: {**options, "rows": table["rows"], "censor_dims": False, **columns}}}}


def select(column, unit):
    kind, of = column["kind"], column.get("of")
    if kind == "count":
        return "COUNT(*)"
    if kind == "count-users":
        return f"COUNT(DISTINCT {unit})"
    return {"sum": "SUM", "avg": "AVG", "variance": "VARIANCE"}[kind] + f"({of})"


def way(frame, workload, table, epsilon, delta, runs, keys, columns):
    asked = [f"{select(column, table['unit'])} AS a{at}" for at, column in enumerate(columns)]
    listed = ", ".join(f"'{group}'" for group in workload["groups"] or [])
    where = f" WHERE {workload['key']} IN ({listed})" if workload["where"] else ""
    question = f"SELECT {', '.join([*keys, *asked])} FROM main.{table['name']}{where}" + (f" GROUP BY {', '.join(keys)}" if keys else "")

    def reader(part):
        return from_connection(frame, privacy=Privacy(epsilon=part, delta=delta), metadata=metadata(table))

    # Each aggregate gets ε, so it is given the part of it that makes the whole cost ε: prices are proportional to it for counts and sums by Laplace.
    price, _ = reader(1.0).get_privacy_cost(question)
    compiled = reader(epsilon / float(price))
    subquery, _ = compiled._rewrite(question)
    selected = re.findall(r"([^,]+) AS (\w+)", str(subquery).split(" FROM ")[0].removeprefix("SELECT "))
    mechanisms = compiled._get_mechanisms(subquery)
    count = runs * (len(workload["groups"]) if workload["groups"] else 1)
    measurements = {}
    for (expression, name), mechanism in zip(selected, mechanisms, strict=True):
        if mechanism is None:
            continue
        drawn = mechanism.release([0] * count)
        measurements[name] = {**stat_of(expression.strip()), "noise": [float(x) for x in drawn]}
    return {"measurements": measurements, "columns": [made_of(column, measurements) for column in columns]}


def stat_of(expression):
    if expression.startswith("COUNT(DISTINCT "):
        return {"stat": "users"}
    if expression.startswith("COUNT("):
        return {"stat": "rows"}
    squared = re.fullmatch(r"SUM\((\w+) \* \1\)", expression)
    summed = re.fullmatch(r"SUM\((\w+)\)", expression)
    if not (squared or summed):
        raise ValueError(f"a measurement that is not known: {expression}")
    return {"stat": "squares", "of": squared[1]} if squared else {"stat": "sum", "of": summed[1]}


def made_of(column, measurements):
    def named(*prefixes):
        for prefix in prefixes:
            for name in measurements:
                if name.startswith(prefix):
                    return name
        raise ValueError(f"no measurement {prefixes} among {list(measurements)}")

    kind, of = column["kind"], column.get("of")
    if kind == "count":
        return {"make": "total", "total": named("count_star", "count_all")}
    if kind == "count-users":
        return {"make": "total", "total": named("count_distinct", "keycount")}
    if kind == "sum":
        return {"make": "total", "total": named(f"sum_{of}")}
    mean = {"sum": named(f"sum_{of}"), "count": named(f"count_{of}")}
    if kind == "avg":
        return {"make": "mean", **mean}
    squares = next(name for name, each in measurements.items() if each["stat"] == "squares")
    return {"make": "variance", "squares": squares, **mean}


def histogram(frame, workload, table, epsilon, delta, runs):
    """A pivot, and a share, as one count by two keys: it takes no CASE in a sum."""
    where = next(column["where"] for column in workload["columns"] if column.get("where"))
    values, measurements = table["categories"][where["column"]], {}
    for value in values:
        one = way(frame, workload, table, epsilon, delta, runs, [workload["key"], where["column"]], [{"kind": "count"}])
        [own] = one["measurements"].values()
        measurements[value] = {**own, "where": {**where, "is": value}}
    columns = []
    for column in workload["columns"]:
        if column["kind"] == "share":
            columns.append({"make": "share", "part": column["where"]["is"], "parts": values})
        elif column.get("where"):
            columns.append({"make": "total", "total": column["where"]["is"]})
        else:
            columns.append({"make": "sum", "parts": values})
    return {"rewritten": True, "measurements": measurements, "columns": columns}


def draws(workload, table, folder, epsilon, delta, runs):
    np.random.seed()
    # MONTH is a word of its grammar.
    frame = pd.read_csv(f"{folder}/{table['name']}.csv").rename(columns={"month": "month_of_day"})
    if workload["key"] == "month":
        workload["key"] = "month_of_day"
    keys = [workload["key"]] if workload["key"] else []

    def run():
        if any(column.get("where") for column in workload["columns"]):
            return [histogram(frame, workload, table, epsilon, delta, runs)]
        try:
            return [way(frame, workload, table, epsilon, delta, runs, keys, workload["columns"])]
        except Exception as error:
            return [{"cannot": f"{type(error).__name__}: {error}"[:200]}]

    return run


serve({"draws": draws})
