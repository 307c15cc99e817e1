import { keyOfAll } from "../../types/compare.ts";
import type { Value } from "../../types/values.ts";
import type { Frame } from "../frame.ts";
import type { Window } from "../scope.ts";
import { byKeys } from "./sorting.ts";

/** Computes window functions over all rows of a SELECT. */
export function computeWindows(frames: readonly Frame[], windows: readonly Window[]): void {
  const results = frames.map((): Value[] => []);
  for (const { partition, order, values } of windows) {
    const parts = new Map<ReturnType<typeof keyOfAll>, number[]>();
    for (const [at, frame] of frames.entries()) {
      frame.run.budget.step();
      const key = keyOfAll(partition.map(({ run }) => run(frame)));
      const part = parts.get(key);
      if (part) part.push(at);
      else parts.set(key, [at]);
    }
    const compare = byKeys(order);
    for (const part of parts.values()) {
      const keyed = part.map((at) => ({ at, keys: order.map(({ expr }) => expr.run(frames[at] as Frame)) }));
      keyed.sort((a, b) => compare(a.keys, b.keys));
      let peer = 0;
      const peers = keyed.map(({ keys }, place) => {
        const before = keyed[place - 1];
        if (before && order.length > 0 && compare(before.keys, keys) !== 0) peer += 1;
        return peer;
      });
      const computed = values(
        keyed.map(({ at }) => frames[at] as Frame),
        peers,
      );
      for (const [place, { at }] of keyed.entries()) results[at]?.push(computed[place] ?? null);
    }
  }
  for (const [at, frame] of frames.entries()) frame.windows = results[at] ?? [];
}
