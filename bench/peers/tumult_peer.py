"""Tumult Analytics on Spark of this machine's cores: one count by groups over Parquet, asked of a session that counts what each user contributes. Needs Java 17."""

import os
import sys
import tempfile

os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402
from tmlt.analytics import (  # noqa: E402
    AddRowsWithID,
    KeySet,
    MaxGroupsPerID,
    MaxRowsPerGroupPerID,
    PureDPBudget,
    QueryBuilder,
    Session,
)

from serve import serve

spark = (
    SparkSession.builder.master("local[*]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.shuffle.partitions", str(os.cpu_count()))
    .config("spark.driver.memory", "2g")
    .config("spark.sql.warehouse.dir", tempfile.mkdtemp())
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
sessions = {}


def count(files, unit, key, groups, most_groups, most_rows, epsilon):
    if files not in sessions:
        sessions[files] = Session.from_dataframe(
            PureDPBudget(1e6), "visits", spark.read.parquet(files), protected_change=AddRowsWithID(unit)
        )
    query = (
        QueryBuilder("visits")
        .enforce(MaxGroupsPerID(key, most_groups))
        .enforce(MaxRowsPerGroupPerID(key, most_rows))
        .groupby(KeySet.from_dict({key: groups}))
        .count()
    )
    return lambda: {
        row[key]: row["count"] for row in sessions[files].evaluate(query, PureDPBudget(epsilon)).collect()
    }


serve({"count": count})
