import { elementAt } from "@lethe/core/numeric";
import type { OutputColumn, Plan } from "@lethe/query";
import { named } from "../derive/named.ts";
import { hidden, type Seen } from "../derive/released/released-value.ts";
import { seenKey } from "../derive/seen-rows.ts";
import { type Cell, isEstimate, isOther, isTimeEstimate, type Release } from "../format/release.ts";
import type { MadeRows } from "./made-rows.ts";

/** The rows of an answer as a SELECT over it sees them: the mark of all groups that are not released is NULL. */
export function answerRows({ columns, rows, certificate: { plan } }: Release): MadeRows {
  const { outputs } = plan;
  return {
    columns: outputs.map((output, at) => ({
      name: output.name,
      isNumber: isNumber(output, plan),
      copied: elementAt(columns, at).kind,
    })),
    rows: rows.map((row) =>
      outputs.map((output, at) => ({ value: seenIn(row[at], output, plan), cell: row[at] ?? null })),
    ),
  };
}

function isNumber(output: OutputColumn, plan: Plan): boolean {
  switch (output.kind) {
    case "key":
      return named(plan.keys.parts, output.key).expression.domain.type === "number";
    case "aggregate": {
      const aggregate = named(plan.aggregates, output.aggregate);
      return aggregate.kind !== "quantile" || aggregate.time === undefined;
    }
    case "computed":
      return output.type === "number";
    case "interval-end": {
      const of = named(plan.outputs, output.output);
      // Nothing has the end of an end.
      return of.kind === "interval-end" || isNumber(of, plan);
    }
  }
}

function seenIn(cell: Cell | undefined, output: OutputColumn, { keys }: Plan): Seen {
  if (cell === undefined) return hidden;
  if (isOther(cell)) return null;
  if (output.kind === "key") return seenKey(cell, named(keys.parts, output.key).expression);
  return isEstimate(cell) || isTimeEstimate(cell) ? cell.value : cell;
}
