import type { Plan } from "@lethe/query";

/** Returns all but the later members of measurements that have one noise together: what takes a part of the price. */
export function drawnOnce<T extends { readonly name: string }>(
  drawn: readonly T[],
  { joint = [] }: Plan,
): readonly T[] {
  const isLater = ({ name }: T): boolean => joint.some((names) => names.indexOf(name) > 0);
  return drawn.filter((each) => !isLater(each));
}
