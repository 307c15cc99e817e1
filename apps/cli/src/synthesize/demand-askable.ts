import { LetheError } from "@lethe/core";
import { countingPlan } from "@lethe/gateway";
import { type Domain, longestTable, type SynthesisSpec, tableQuestion } from "@lethe/learn/synthesis";
import type { Policy } from "@lethe/query";

/**
 * Refuses a domain of which a table would be asked for by a question that is too long, before anything is paid: every bin is an arm of it. The number of bins that it names was tried.
 * Errors: model.invalid; others of the question.
 */
export async function demandAskable(spec: SynthesisSpec, policy: Policy): Promise<void> {
  const pair = longestTable(spec.domain);
  if (await isShort(spec, pair, policy)) return;
  const names = pair.map((at) => JSON.stringify(spec.domain[at]?.name)).join(" and ");
  const most = spec.domain.reduce((bins, { kind, ...attribute }) => {
    return kind === "bins" && "edges" in attribute ? Math.max(bins, attribute.edges.length - 1) : bins;
  }, 0);
  let bins = most;
  do bins = Math.floor(bins / 2);
  while (bins > 1 && !(await isShort({ ...spec, domain: cutTo(spec.domain, bins) }, pair, policy)));
  throw new LetheError(
    "model.invalid",
    `the table of ${names} cannot be asked for: with ${most} bins its question is too long`,
    { fix: `write bins: ${bins}`, fields: { bins: most } },
  );
}

async function isShort(spec: SynthesisSpec, pair: readonly number[], policy: Policy): Promise<boolean> {
  try {
    await countingPlan(tableQuestion(spec, pair), policy);
    return true;
  } catch (error) {
    if (error instanceof LetheError && error.code === "query.too-large") return false;
    throw error;
  }
}

/** The domain with at most so many bins a column, some edges left out: for the length of its questions alone. */
function cutTo(domain: Domain, bins: number): Domain {
  return domain.map((attribute) => {
    if (attribute.kind !== "bins") return attribute;
    const step = Math.ceil((attribute.edges.length - 1) / bins);
    return { ...attribute, edges: attribute.edges.filter((_, at) => at % step === 0) };
  });
}
