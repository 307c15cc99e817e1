"""OpenDP: a question over a LazyFrame as its Context asks it, all aggregates at once; noise by its own samplers at the scales that its summary states."""

import warnings
from functools import reduce

import opendp.prelude as dp
import polars as pl

from serve import serve

warnings.simplefilter("ignore")
dp.enable_features("contrib")


def noise(law, scale, count):
    if law != "Integer Laplace":
        raise ValueError(f"noise that is not known: {law}")
    vectors = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    return dp.m.make_laplace(*vectors, scale=scale)([0] * count)


def asked_of(column, bounds):
    """The expression of a column, what it measures in the order of the summary, and how the answer is made of that."""
    kind, of = column["kind"], column.get("of")
    value = pl.col(of).fill_null(0) if of else None
    if kind in ("count", "share") and column.get("where"):
        where = column["where"]
        met = (pl.col(where["column"]) == where["is"]).cast(pl.Int32).fill_null(0).dp.sum((0, 1))
        rows = {"stat": "rows", "where": where}
        if kind == "count":
            return [met], [rows], lambda ids: {"make": "total", "total": ids[0]}
        return [met, dp.len(signed=True)], [rows, {"stat": "rows"}], lambda ids: {"make": "share", "part": ids[0], "whole": ids[1]}
    if kind == "count":
        return [dp.len(signed=True)], [{"stat": "rows"}], lambda ids: {"make": "total", "total": ids[0]}
    if kind == "count-users":
        return [pl.col("user_id").dp.n_unique()], [{"stat": "users"}], lambda ids: {"make": "total", "total": ids[0]}
    lo, hi = bounds[of]
    summed = {"stat": "sum", "of": of}
    if kind == "sum":
        return [value.dp.sum((lo, hi))], [summed], lambda ids: {"make": "total", "total": ids[0]}
    if kind == "avg":
        return [value.dp.mean((lo, hi))], [summed, {"stat": "rows"}], lambda ids: {"make": "mean", "sum": ids[0], "count": ids[1]}
    squares = (value * value).dp.sum((lo * lo, hi * hi))
    parts = [{"stat": "squares", "of": of}, summed, {"stat": "rows"}]
    make = lambda ids: {"make": "variance", "squares": ids[0], "sum": ids[1], "count": ids[2]}
    return [squares, value.dp.sum((lo, hi)), dp.len(signed=True)], parts, make


def way(frame, workload, table, epsilon, runs, keys, columns):
    """One way to ask: the columns' expressions by the keys, or how columns are made of what is measured once where `columns` is a function."""
    margins = [dp.polars.Margin(by=keys, invariant="keys", max_length=table["rows"])] if keys else [dp.polars.Margin(max_length=table["rows"])]
    context = dp.Context.compositor(
        data=frame,
        privacy_unit=dp.unit_of(contributions=table.get("mostRows", 1)),
        privacy_loss=dp.loss_of(epsilon=epsilon),
        split_evenly_over=1,
        margins=margins,
    )
    query = context.query()
    key, groups = workload["key"], workload["groups"]
    if workload["where"]:
        query = query.filter(reduce(lambda a, b: a | b, [pl.col(key) == group for group in groups]))
    shared, expressions, stats, made = {}, [], [], []
    for column in columns:
        asked, parts, make = asked_of(column, table["bounds"])
        # What two columns need alike is asked once, where each part is an expression of its own.
        if len(asked) == len(parts):
            ids = []
            for expression, part in zip(asked, parts):
                name = str(part)
                if name not in shared:
                    shared[name] = f"m{len(stats)}"
                    expressions.append(expression.alias(shared[name]))
                    stats.append(part)
                ids.append(shared[name])
        else:
            ids = [f"m{len(stats) + at}" for at in range(len(parts))]
            expressions.append(asked[0].alias(ids[0]))
            stats.extend(parts)
        made.append(make(ids))
    query = query.group_by(*keys).agg(*expressions) if keys else query.select(*expressions)
    # After a filter it takes keys for data unless they are stated.
    if workload["where"]:
        query = query.with_keys(pl.LazyFrame({key: groups}))
    scales = query.summarize().rows(named=True)
    if len(scales) != len(stats):
        raise ValueError("the summary states another number of measurements")
    count = runs * (len(groups) if groups else 1)
    measurements = {
        f"m{at}": {**stat, "noise": noise(row["distribution"], row["scale"], count)}
        for at, (stat, row) in enumerate(zip(stats, scales))
    }
    return {"measurements": measurements, "columns": made}


def histogram(frame, workload, table, epsilon, runs):
    """A pivot, and a share, as one count by two keys."""
    where = next((column["where"] for column in workload["columns"] if column.get("where")), None)
    if where is None:
        return []
    one = way(frame, workload, table, epsilon, runs, [workload["key"], where["column"]], [{"kind": "count"}])
    [own] = one["measurements"].values()
    values = table["categories"][where["column"]]
    count = runs * len(workload["groups"])
    scales = {value: {"stat": "rows", "where": {**where, "is": value}, "noise": own["noise"]} for value in values[:1]}
    for value in values[1:]:
        other = way(frame, workload, table, epsilon, runs, [workload["key"], where["column"]], [{"kind": "count"}])
        [drawn] = other["measurements"].values()
        scales[value] = {"stat": "rows", "where": {**where, "is": value}, "noise": drawn["noise"][:count]}
    columns = []
    for column in workload["columns"]:
        if column["kind"] == "share":
            columns.append({"make": "share", "part": column["where"]["is"], "parts": values})
        elif column.get("where"):
            columns.append({"make": "total", "total": column["where"]["is"]})
        else:
            columns.append({"make": "sum", "parts": values})
    return [{"rewritten": True, "measurements": scales, "columns": columns}]


def draws(workload, table, folder, epsilon, delta, runs):
    frame = pl.scan_csv(f"{folder}/{table['name']}.csv")
    keys = [workload["key"]] if workload["key"] else []

    def run():
        asked = way(frame, workload, table, epsilon, runs, keys, workload["columns"])
        return [asked, *histogram(frame, workload, table, epsilon, runs)]

    return run


serve({"draws": draws})
