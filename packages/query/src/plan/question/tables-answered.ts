import { publicValues } from "../../over/public-values.ts";
import type { Plan } from "../plan.ts";
import { tablesRead } from "../plan-relation.ts";
import { questionsOf } from "./plan-together.ts";

/** Returns every table that an answer is made of, once: those of all its questions, and the public ones beside it. */
export function tablesAnswered(plan: Plan): readonly string[] {
  const beside = plan.over ? publicValues(plan.over).map(({ table }) => table) : [];
  return [...new Set([...questionsOf(plan).flatMap(tablesRead), ...beside])];
}
