import { elementAt } from "@lethe/core/numeric";
import { type Expression, type Plan, writeSql } from "@lethe/query";
import { named } from "../derive/named.ts";
import { filterOf } from "./cut-values.ts";
import { filterWords } from "./distinct-values.ts";

/** Quantiles that stand for MIN and MAX. */
export function* extremes({ aggregates, trees = [] }: Plan): Iterable<string> {
  for (const aggregate of aggregates) {
    if (aggregate.kind !== "quantile" || aggregate.standsFor === null) continue;
    const { share, standsFor, tree, time } = aggregate;
    const { argument } = named(trees, tree);
    const asked = time === undefined ? argument : timeBehind(argument);
    const parts = filterOf(asked);
    const value = writeSql(parts?.value ?? asked);
    const filter = parts ? filterWords(parts.condition) : "";
    yield `${standsFor === "min" ? "MIN" : "MAX"}(${value})${filter} is answered by the ${share} quantile, PERCENTILE_CONT(${value}, ${share})${filter}; the ${standsFor === "min" ? "lowest" : "highest"} value belongs to one row and is never shown`;
  }
}

/** Times are counted in days or seconds: the time is what that number is made of. */
function timeBehind(argument: Expression): Expression {
  return argument.kind === "call" ? elementAt(argument.args, 0) : argument;
}
