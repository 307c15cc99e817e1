import type { KeyValue } from "@lethe/core/mechanisms";

/** More public keys than this are treated as data: a noisy row for each would drown the answer. */
export const maxPublicKeys: number = 10_000;

/** Every combination of the public keys, the last key moving fastest; null where one is not public or there are too many. */
export function declaredKeys(
  lists: readonly (readonly KeyValue[] | null)[],
): readonly (readonly KeyValue[])[] | null {
  let all: readonly (readonly KeyValue[])[] = [[]];
  for (const list of lists) {
    if (list === null || all.length * list.length > maxPublicKeys) return null;
    all = all.flatMap((key) => list.map((value) => [...key, value]));
  }
  return all;
}
