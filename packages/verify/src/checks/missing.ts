import { keepProbability } from "@lethe/core";
import type { Release } from "../format/release.ts";
import { passed, type Verdict, verdict } from "./check.ts";

/** Two evaluations of the same chance in doubles. */
const rounding = 1e-9;

/** The chances that a group goes missing are those of the plan's selection rule. */
export function chancesFollow({ missing, certificate }: Release): Verdict {
  const { program } = certificate.plan.keys;
  if (program.kind !== "private") return passed("all groups are answered");
  const amiss = missing
    .filter(({ units, chance }) => {
      return !(Math.abs(chance - (1 - keepProbability(program.rule, BigInt(units)))) <= rounding);
    })
    .map(({ units }) => `a group of ${units} units goes missing with another chance than stated`);
  return verdict(amiss, "the chances that a group is missing are those of the selection rule");
}
