import { noisyNumbers, releaseProgram } from "@lethe/query";

/** A plan's aggregate without its noise, in the question's units, from the sums of one group. */
export function exactAnswer(plan, aggregate, sums) {
  const totals = releaseProgram(plan).measurements.map(({ terms }) =>
    terms.reduce((total, { column, coefficient }) => total + BigInt(coefficient) * sums[column], 0n),
  );
  const measured = (name) => Number(noisyNumbers(plan)(totals).total(name));
  if (aggregate.kind === "count") return measured(aggregate.count);
  if (aggregate.kind === "sum") return measured(aggregate.sum) * 2 ** aggregate.exponent;
  const mean = measured(aggregate.sum) / measured(aggregate.count);
  return (Number(aggregate.mid) + mean) * 2 ** aggregate.exponent;
}

/** Compiled SQL tells a day as its number since 1970-01-01. */
const dayNumber = (key) => key?.days ?? key;

/** The groups of compiled SQL and of plain SQL, keys before aggregates, must be the same, to a step of the grid and a part in 10,000. */
export function checkSame(question, plan, query, rows, expected) {
  const wanted = new Map(
    expected.map((row) => [
      String(row.slice(0, query.keys).map(dayNumber)),
      row.slice(query.keys).map(Number),
    ]),
  );
  if (rows.length !== wanted.size) throw new Error(`${question}: ${rows.length} groups, not ${wanted.size}`);
  for (const row of rows) {
    const answers = wanted.get(String(row.slice(0, query.keys)));
    const sums = row.slice(query.keys + 1);
    for (const [at, aggregate] of plan.aggregates.entries()) {
      const [got, right] = [exactAnswer(plan, aggregate, sums), answers?.[at]];
      const step = aggregate.kind === "count" ? 0 : 2 ** aggregate.exponent;
      if (!(Math.abs(got - right) <= step + 1e-4 * Math.abs(right)))
        throw new Error(`${question}: ${got}, not ${right}`);
    }
  }
}
