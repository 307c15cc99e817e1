import type { SelectionRule } from "@lethe/core/accounting";
import { keepProbability } from "@lethe/core/mechanisms";
import type { Release } from "../format/release.ts";
import { failed, passed, type Verdict, verdict } from "./check.ts";

/** Two evaluations of the same chance in doubles. */
const rounding = 1e-9;

/** The chances that a group goes missing are those of the plan's selection rule. */
export function chancesFollow({ missing, certificate }: Release): Verdict {
  const { program } = certificate.plan.keys;
  if (program.kind !== "private") return passed("all groups are answered");
  const stated = missing.map(({ units }) => units);
  if (stated.join() !== [...unitsTold(program.rule)].join())
    return failed("the sizes of groups that may be missing are not those that are always told");
  const amiss = missing
    .filter(({ units, chance }) => {
      return !(Math.abs(chance - (1 - keepProbability(program.rule, BigInt(units)))) <= rounding);
    })
    .map(({ units }) => `a group of ${units} units goes missing with another chance than stated`);
  return verdict(amiss, "the chances that a group is missing are those of the selection rule");
}

/** 1, 2, 5, 10, 20, 50 … units, up to those of which one group in a million is missing. */
export function* unitsTold(rule: SelectionRule): Iterable<number> {
  for (let ten = 1; ten <= 1e12; ten *= 10)
    for (const units of [ten, 2 * ten, 5 * ten]) {
      yield units;
      if (1 - keepProbability(rule, BigInt(units)) < 1e-6) return;
    }
}
