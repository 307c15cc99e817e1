import type { BitSource } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import { canonicalKey, type Draws, keepProbability } from "@lethe/core/mechanisms";
import { asDraws, drawsFrom, SeededSource } from "@lethe/core/tape";
import { coordinate, type DrawnPart, nodes } from "./drawn-part.ts";

export interface RecordedDraws {
  readonly draws: Draws;
  readonly parts: readonly DrawnPart[];
}

/**
 * Draws and keeps every draw. A draw hangs on the seed, on its part and on its group alone, so that a group more or less
 * changes no other. Selections keep what they may keep seven times of eight, so that there is something to compare: any output
 * that is possible may be frozen. `dropped` groups (by {@link selected}) are not kept.
 */
export function recordDraws(seed: number, dropped: ReadonlySet<string>): RecordedDraws {
  const parts: DrawnPart[] = [];
  let coins: BitSource = new SeededSource(seed);
  const drawn = drawsFrom({ word: () => coins.word() });
  const prepare = (name: string, parameters: unknown): Part => {
    const at = parts.length;
    const part = { name, parameters: canonicalJson(parameters), drawn: new Map() };
    parts.push(part);
    return {
      at,
      draw(key, input, output) {
        const group = canonicalKey(key);
        coins = new SeededSource(hashOf(`${seed} ${at} ${group}`));
        const draw = { input, output: output(group) };
        part.drawn.set(group, [...(part.drawn.get(group) ?? []), draw]);
        return draw.output;
      },
    };
  };
  return {
    parts,
    draws: asDraws({
      noise(noise, name) {
        const part = prepare(name, noise);
        const add = drawn.noise(noise, name);
        return (exact, key) => part.draw(key, coordinate(exact), () => add(exact, key));
      },
      selection(rule, name) {
        const part = prepare(name, rule);
        return (units, key) =>
          part.draw(key, coordinate(units), (group) => {
            const chance = keepProbability(rule, units);
            const wanted = chance === 1 || coins.word() % 8 > 0;
            return wanted && chance > 0 && !dropped.has(selected(part.at, group));
          });
      },
      tree(tree, name) {
        const part = prepare(name, tree);
        const release = drawn.tree(tree, name);
        return (counts, key) => part.draw(key, nodes(tree, counts), () => release(counts, key));
      },
    }),
  };
}

interface Part {
  readonly at: number;
  draw<T>(
    key: Parameters<typeof canonicalKey>[0],
    input: ReadonlyMap<string, bigint>,
    output: (group: string) => T,
  ): T;
}

/** The name of a group in the selection that is the part at this place. */
export function selected(part: number, group: string): string {
  return `${part} ${group}`;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}
