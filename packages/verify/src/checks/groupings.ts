import { parseRational, toDouble } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import type { Noise } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { Measurement, Plan } from "@lethe/query";
import { named, placeOf } from "../derive/named.ts";
import { isNextCoarser, rowSource } from "../derive/row-source.ts";
import { isOther, type Release } from "../format/release.ts";

export const addUp: ReadonlySet<string> = new Set([
  "count",
  "sum",
  "scaled-sum",
  "scaled-squares",
  "scaled-cubes",
  "scaled-products",
]);

/**
 * Yields what is wrong with several groupings at once. They must be by the plan's keys, of columns that add up over groups, and made of groups that
 * are all released, or each measured once beside those that are not.
 */
export function* groupingsAmiss(plan: Plan): Iterable<string> {
  const { groupings, keys, measurements, sums, trees = [], totals } = plan;
  if (!groupings) {
    if (totals) yield "totals are measured that no grouping asks for";
    return;
  }
  const all = keys.parts.length;
  const places = groupings.map((set) => set.map((key) => placeOf(keys.parts, key)));
  if (places.some((set) => set.some((place, at) => at > 0 && place <= elementAt(set, at - 1)))) {
    yield "a grouping is not by the plan's keys";
    return;
  }
  const isTotalled = groupings.some((set) => set.length < all);
  if (isTotalled && keys.program.kind !== "public" && !totals)
    yield "totals are made of groups that may be missing";
  if (totals && plan.learned)
    yield "totals are measured within bounds that are learned, at no price of their own";
  if (totals) yield* measuredAmiss(plan, totals, groupings);
  if (!isTotalled) return;
  const read = measurements.flatMap(({ terms }) => terms.map((term) => named(sums, term.sum).kind));
  if (trees.length > 0 || !read.every((kind) => addUp.has(kind)))
    yield "totals are made of what does not add up";
}

function* measuredAmiss(
  plan: Plan,
  totals: NonNullable<Plan["totals"]>,
  groupings: NonNullable<Plan["groupings"]>,
): Iterable<string> {
  const { keys, measurements } = plan;
  if (keys.program.kind !== "private") yield "totals are measured beside groups that are all released";
  if (!groupings.some((set) => set.length === keys.parts.length))
    yield "totals are listed by groups that are not asked";
  const read = new Set(groupings.map((set) => rowSource(set, plan).level));
  if (totals.some((_, at) => !read.has(at + 1))) yield "totals are measured that no row is made of";
  const whole = [...measurements, ...totals.flatMap((each) => each.measurements)].reduce(added(plan), 0);
  for (const { keys: own, declared, share, measurements: measured } of totals) {
    if (own.length === 0 && declared?.length !== 1) yield "the total over all is not the one that there is";
    if (declared?.some((key) => key.length !== own.length))
      yield "a declared key of totals has another length";
    if (new Set(declared?.map(canonicalJson)).size !== (declared?.length ?? 0))
      yield "a key of totals is declared twice";
    const terms = (of: readonly Measurement[]): string =>
      canonicalJson(of.map(({ name, terms: made }) => [name, made]));
    if (terms(measured) !== terms(measurements)) yield "totals are not of what the groups are measured by";
    const taken = whole === 0 ? 0 : measured.reduce(added(plan), 0) / whole;
    if (!(Math.abs(toDouble(parseRational(share), "down") - taken) <= 1e-3))
      yield "the share of the loss that totals are said to take is not their noise's";
  }
}

/**
 * Returns a fold that adds a measurement's part of the loss: ε of Laplace noise, ρ of Gaussian noise, and ρ of Laplace noise where the account is
 * kept in ρ, each up to a constant factor.
 */
function added({ price }: Plan): (total: number, measurement: Measurement) => number {
  const number = (text: string): number => toDouble(parseRational(text), "down");
  const takes = (noise: Noise, { l1, l2Squared }: Measurement): number => {
    switch (noise.mechanism) {
      case "discrete-laplace@1": {
        const epsilon = Number(l1) / number(noise.scale);
        return price.measure === "zcdp" ? epsilon ** 2 : epsilon;
      }
      case "rounded-gaussian@1":
        return Number(l2Squared) / number(noise.sigma) ** 2;
      case "discrete-gaussian@1":
        return Number(l2Squared) / number(noise.sigmaSquared);
      case "constant@1":
        return 0;
    }
  };
  return (total, measurement) => total + takes(measurement.noise, measurement);
}

/**
 * Yields what is wrong with the marks of rows: each row must say which grouping it belongs to, and its keys must be marked as that grouping's are.
 */
export function* marksAmiss({ rows, groupings: marks, certificate: { plan } }: Release): Iterable<string> {
  const { groupings = [], outputs } = plan;
  if (!plan.groupings || !marks) {
    if (plan.groupings || marks) yield "rows do not say which grouping they are of, or say it of one";
    if (rows.some((row) => row.some(isOther))) yield "a row stands for groups that are all released";
    return;
  }
  const fits = rows.every((row, at) => {
    const mark = marks[at];
    const set = mark && groupings[mark.grouping];
    if (!mark || !set) return false;
    const { over } = mark;
    if (over !== null && (rowSource(set, plan).isListed || !isNextCoarser(over, mark.grouping, plan)))
      return false;
    return outputs.every((output, column) => {
      if (output.kind !== "key") return !isOther(row[column]);
      const isLeft =
        over !== null && set.includes(output.key) && !elementAt(groupings, over).includes(output.key);
      if (isOther(row[column]) !== isLeft) return false;
      return set.includes(output.key) || row[column] === null;
    });
  });
  if (!fits || marks.length !== rows.length) yield "a row is not of the grouping that it is said to be of";
}
