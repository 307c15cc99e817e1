import { canonicalKey, type ExactGroup } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { type Plan, releaseProgram, type TreeMeasurement } from "@lethe/query";

/** Returns the counts at all nodes of a tree, from the exact rows of its cells, by key, level and node. */
export function nodeCounts(tree: TreeMeasurement, cells: readonly ExactGroup[]): ReadonlyMap<string, bigint> {
  const { branching, height } = tree;
  const counts = new Map<string, bigint>();
  for (const { key, sums } of cells) {
    const cell = Number(key.at(-1));
    if (!(cell >= 0 && cell < branching ** height)) throw new Error("a cell beyond the tree");
    for (let level = 1; level <= height; level += 1) {
      const node = Math.floor(cell / branching ** (height - level));
      const name = `${canonicalKey(key.slice(0, -1))} ${level} ${node}`;
      counts.set(name, (counts.get(name) ?? 0n) + elementAt(sums, 0));
    }
  }
  return counts;
}

/**
 * Returns the exact totals of the plan's coarser groupings, one vector a measurement, by key. Where the keys are declared, only declared ones are
 * there.
 */
export function totalVectors(
  plan: Plan,
  groups: readonly ExactGroup[],
): readonly ReadonlyMap<string, bigint>[] {
  return (releaseProgram(plan).totals ?? []).flatMap(({ keys, declared, measurements }) => {
    const listed = declared && new Set(declared.map(canonicalKey));
    return measurements.map(({ terms }) => {
      const totals = new Map<string, bigint>();
      for (const { key, sums } of groups) {
        const name = canonicalKey(keys.map((at) => key[at] ?? null));
        if (listed && !listed.has(name)) continue;
        for (const { column, coefficient } of terms)
          totals.set(name, (totals.get(name) ?? 0n) + BigInt(coefficient) * (sums[column] ?? 0n));
      }
      return totals;
    });
  });
}

type Vector = ReadonlyMap<string, bigint>;
type Distance = readonly [l1: bigint, l2Squared: bigint];

/** Returns the ℓ1 and squared ℓ2 distance of two vectors by name; a missing coordinate is 0. */
export function distanceOf(a: Vector, b: Vector): Distance {
  let [l1, l2Squared] = [0n, 0n];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const change = (a.get(name) ?? 0n) - (b.get(name) ?? 0n);
    l1 += change < 0n ? -change : change;
    l2Squared += change * change;
  }
  return [l1, l2Squared];
}

/** Returns the claims about the plan's trees that two exact answers refute. Each answer holds the rows of cells of each tree. */
export function refutedTrees(
  plan: Plan,
  a: readonly (readonly ExactGroup[])[],
  b: readonly (readonly ExactGroup[])[],
): string[] {
  const { keys } = releaseProgram(plan);
  const declared = keys.kind === "public" ? new Set(keys.groups.map(canonicalKey)) : null;
  const answered = (cells: readonly ExactGroup[]): readonly ExactGroup[] =>
    cells.filter(({ key }) => declared === null || declared.has(canonicalKey(key.slice(0, -1))));
  return (plan.trees ?? []).flatMap((tree, at) => {
    const countsOf = (cells: readonly (readonly ExactGroup[])[]): ReadonlyMap<string, bigint> =>
      nodeCounts(tree, answered(elementAt(cells, at)));
    return beyondClaim([tree], distanceOf(countsOf(a), countsOf(b)));
  });
}

/** The places of a plan's measurements, vector by vector: those that have one noise together are one vector. */
export function vectorsOf({ measurements, joint = [] }: Plan): readonly (readonly number[])[] {
  const placeOf = (name: string): number => measurements.findIndex((each) => each.name === name);
  return measurements.flatMap(({ name }, at) => {
    const together = joint.find((names) => names.includes(name));
    if (together === undefined) return [[at]];
    return together[0] === name ? [together.map(placeOf)] : [];
  });
}

interface Claim {
  readonly name: string;
  readonly l1: string;
  readonly l2Squared: string;
}

/** Returns what a vector moved by beyond the least that its members claim. */
function beyondClaim(members: readonly Claim[], [l1, l2Squared]: Distance): string[] {
  const name = members.map((each) => each.name).join(" and ");
  const least = (claims: readonly string[]): bigint =>
    claims.map(BigInt).reduce((one, other) => (other < one ? other : one));
  const [most, mostSquared] = [
    least(members.map((each) => each.l1)),
    least(members.map((each) => each.l2Squared)),
  ];
  return [
    ...(l1 > most ? [`${name}: ℓ1 ${l1} > ${most}`] : []),
    ...(l2Squared > mostSquared ? [`${name}: ℓ2² ${l2Squared} > ${mostSquared}`] : []),
  ];
}

/** Returns the plan's claims that two exact answers refute. */
export function refutedClaims(plan: Plan, a: readonly ExactGroup[], b: readonly ExactGroup[]): string[] {
  const { measurements, keys } = releaseProgram(plan);
  const declared = keys.kind === "public" ? new Set(keys.groups.map(canonicalKey)) : null;
  const byKey = (groups: readonly ExactGroup[]): Map<string, ExactGroup> => {
    const answered = groups.filter(({ key }) => declared === null || declared.has(canonicalKey(key)));
    const map = new Map(answered.map((group) => [canonicalKey(group.key), group]));
    if (map.size !== answered.length) throw new Error("a group is answered twice");
    return map;
  };
  const [left, right] = [byKey(a), byKey(b)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const broken: string[] = [];

  const vector = (groups: ReadonlyMap<string, ExactGroup>, places: readonly number[]): Vector =>
    new Map(
      places.flatMap((at) => {
        const { terms } = elementAt(measurements, at);
        return [...groups].map(([name, { sums }]) => [
          `${at} ${name}`,
          terms.reduce(
            (sum, { column, coefficient }) => sum + BigInt(coefficient) * (sums[column] ?? 0n),
            0n,
          ),
        ]);
      }),
    );
  for (const places of vectorsOf(plan))
    broken.push(
      ...beyondClaim(
        places.map((at) => elementAt(plan.measurements, at)),
        distanceOf(vector(left, places), vector(right, places)),
      ),
    );

  const claims = (plan.totals ?? []).flatMap((totals) => totals.measurements);
  const [totalsLeft, totalsRight] = [totalVectors(plan, a), totalVectors(plan, b)];
  for (const [at, claimed] of claims.entries())
    broken.push(...beyondClaim([claimed], distanceOf(elementAt(totalsLeft, at), elementAt(totalsRight, at))));

  if (keys.kind === "private") {
    const changes = names
      .map((name) => (left.get(name)?.units ?? 0n) - (right.get(name)?.units ?? 0n))
      .filter((change) => change !== 0n);
    if (changes.some((change) => change > 1n || change < -1n))
      broken.push(`unit counts move by ${changes.join(", ")}`);
    const selection =
      plan.event.kind === "compose"
        ? plan.event.events.find(({ kind }) => kind === "select-groups")
        : undefined;
    const charged = selection?.kind === "select-groups" ? Number(selection.groups) : 0;
    if (changes.length > charged) broken.push(`${changes.length} groups change, ${charged} were charged`);
  }
  return broken;
}
