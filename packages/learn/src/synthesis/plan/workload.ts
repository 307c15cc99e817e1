/**
 * Returns how much of the workload each attribute touches, as whole numbers. The workload is all pairs, one as much as another; with a target its own pairs together
 * weigh as much as all others. A table touches what its attributes do, added up.
 * Source: McKenna, Mullins, Sheldon & Miklau 2022 (arXiv 2201.12677), Sec. 4 (weights of candidates).
 * @example workloadWeights(14, 13)[13] // => 156, where each other weighs 36
 */
export function workloadWeights(attributes: number, target: number | null): readonly number[] {
  if (target === null || attributes < 3) return Array.from({ length: attributes }, () => 1);
  const [own, other] = [attributes - 2, 2];
  return Array.from({ length: attributes }, (_, at) =>
    at === target ? own * (attributes - 1) : own + other * (attributes - 2),
  );
}
