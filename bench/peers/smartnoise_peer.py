"""SmartNoise SQL: the same question many times over one CSV, each row a person, at a total ε that is ours."""

import pandas as pd
from snsql import Privacy, from_connection

from serve import serve


def plain(value):
    """A value of a row as JSON knows it."""
    if value is None or isinstance(value, (bool, str)):
        return value
    return int(value) if float(value).is_integer() else float(value)


def answers(csv, columns, question, epsilon, delta, runs):
    """Rows of `runs` answers to a question over `main.people`; columns: name -> its metadata. Each aggregate gets ε, so it is
    given the part of it that makes the whole cost ε."""
    frame = pd.read_csv(csv)
    for name, column in columns.items():
        frame[name] = frame[name].astype({"boolean": bool, "string": str}.get(column["type"], frame[name].dtype))
    people = {"row_privacy": True, "rows": len(frame), "censor_dims": False, **columns}
    metadata = {"": {"main": {"people": people}}}

    def reader(part):
        return from_connection(frame, privacy=Privacy(epsilon=part, delta=delta), metadata=metadata)

    price, _ = reader(1.0).get_privacy_cost(question)
    # Its prices are proportional to ε for counts and sums by Laplace and geometric noise.
    asked = reader(epsilon / float(price))

    def run():
        return [[[plain(value) for value in row] for row in asked.execute(question)[1:]] for _ in range(runs)]

    return run


serve({"answers": answers})
