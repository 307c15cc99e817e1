import { lossToJson } from "@lethe/core";
import { byName } from "../../refusals/by-name.ts";
import { joinedRows, meetsRows, questionsRows } from "../../relations/joined-rows/joined-rows.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import type { AllocatedQuestion, PricedTotals } from "../passes/allocate-loss.ts";
import type { Plan, PlannedContribution, PlannedKeyProgram, PlannedTotals } from "../plan.ts";
import { referencedColumns } from "../referenced-columns.ts";
import { encodeKey } from "../release-program.ts";

/** The plan of a question whose noise and price are known. */
export function planOf(allocated: AllocatedQuestion, policyHash: string): Plan {
  const {
    question,
    unit,
    adjacency,
    contribution,
    sums,
    priced,
    pricedTrees,
    aggregates,
    event,
    nominal,
    pricedStages,
  } = allocated;
  const from = limitsRows(contribution) ? question.from : referencedColumns(question);
  return {
    version: 2,
    text: question.text,
    ...(question.parameters.length > 0 ? { parameters: question.parameters } : {}),
    ...(question.today === undefined ? {} : { today: question.today }),
    policyHash,
    from,
    unit,
    adjacency,
    contribution,
    ...(meetsRows(from) ? { joinedRows: joinedRows(questionsRows({ from, where: question.where })) } : {}),
    where: question.where,
    keys: { parts: question.groupBy, program: keyProgram(allocated) },
    ...(question.groupings ? { groupings: question.groupings } : {}),
    ...(allocated.pricedTotals.length > 0
      ? { totals: allocated.pricedTotals.map((total) => totalsOf(total, question)) }
      : {}),
    sums,
    measurements: priced,
    ...(allocated.joint.length === 0 ? {} : { joint: allocated.joint }),
    ...(allocated.combined.length === 0 ? {} : { combined: allocated.combined }),
    ...(pricedTrees.length === 0 ? {} : { trees: pricedTrees }),
    ...(nominal === null ? {} : { learned: { stages: pricedStages, nominal } }),
    aggregates,
    outputs: question.outputs,
    post: question.post,
    ...(question.over ? { over: question.over } : {}),
    event,
    price: lossToJson(allocated.price),
  };
}

function totalsOf(
  { keys, share, declared, measurements }: PricedTotals,
  { groupBy }: ResolvedQuery,
): PlannedTotals {
  const listed = declared?.map((key) =>
    encodeKey(
      key,
      keys.map((name) => byName(groupBy, name)),
    ),
  );
  return { keys, share, ...(listed ? { declared: listed } : {}), measurements };
}

/** Whether rows are limited before the filter: then they are chosen by a hash of all columns of the table, asked for or not. */
function limitsRows({ limit, enforced }: PlannedContribution): boolean {
  return enforced && limit === "rows-before-filter";
}

function keyProgram({ keys, selection, question }: AllocatedQuestion): PlannedKeyProgram {
  if (keys.kind === "public")
    return { kind: "public", declared: keys.declared.map((key) => encodeKey(key, question.groupBy)) };
  return selection === null ? { kind: "none" } : { kind: "private", rule: selection };
}
