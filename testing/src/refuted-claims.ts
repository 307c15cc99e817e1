import { canonicalKey, type ExactGroup } from "@lethe/core";
import { type Plan, releaseProgram } from "@lethe/query";

/** Which of the plan's claims two exact answers refute. */
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

  measurements.forEach(({ terms }, at) => {
    const value = (group: ExactGroup | undefined): bigint =>
      terms.reduce(
        (total, { column, coefficient }) => total + BigInt(coefficient) * (group?.sums[column] ?? 0n),
        0n,
      );
    let [l1, l2Squared] = [0n, 0n];
    for (const name of names) {
      const change = value(left.get(name)) - value(right.get(name));
      l1 += change < 0n ? -change : change;
      l2Squared += change * change;
    }
    const claimed = plan.measurements[at]!;
    if (l1 > BigInt(claimed.l1)) broken.push(`${claimed.describes}: ℓ1 ${l1} > ${claimed.l1}`);
    if (l2Squared > BigInt(claimed.l2Squared))
      broken.push(`${claimed.describes}: ℓ2² ${l2Squared} > ${claimed.l2Squared}`);
  });

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
