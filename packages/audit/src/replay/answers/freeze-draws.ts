import { canonicalJson } from "@lethe/core/canonical";
import { canonicalKey, type Draws, type KeyValue, keepProbability } from "@lethe/core/mechanisms";
import { asDraws } from "@lethe/core/tape";
import { Astray } from "../tape-of-calls.ts";
import { coordinate, type DrawnPart, nodes } from "./drawn-part.ts";
import { selected } from "./record-draws.ts";

export interface FrozenDraws {
  readonly draws: Draws;
  /** The parts that were asked for, with the outputs of the recording. */
  readonly parts: readonly DrawnPart[];
  /** The places where the run left the recording. */
  readonly differences: readonly string[];
  /**
   * Returns the groups that the recording kept and that cannot be kept here, by {@link selected}. They have units on one of two neighbours alone,
   * which the selection's δ pays for.
   */
  gone(): readonly string[];
  /** Returns the draws that were left unasked at the end, except those of groups that are gone. */
  unasked(): readonly string[];
}

/** Answers from a recording, whatever the inputs are. A run that asks for anything else is ended. */
export function freezeDraws(recorded: readonly DrawnPart[]): FrozenDraws {
  const parts: DrawnPart[] = [];
  const differences: string[] = [];
  const gone = new Set<string>();
  const stop = (difference: string): never => {
    differences.push(difference);
    throw new Astray(difference);
  };
  const prepare = (name: string, parameters: unknown): Prepared => {
    const at = parts.length;
    const text = canonicalJson(parameters);
    const before = recorded[at];
    if (before === undefined) return stop(`draws ${name} on only one of the two`);
    if (before.name !== name) return stop(`draws ${before.name} on one, ${name} on the other`);
    if (before.parameters !== text) return stop(`draws ${name} with other parameters`);
    const part = { name, parameters: text, drawn: new Map() };
    parts.push(part);
    return {
      at,
      draw(key, input, otherwise) {
        const group = canonicalKey(key);
        const draws = part.drawn.get(group) ?? [];
        const frozen = before.drawn.get(group)?.[draws.length];
        const output = frozen ? otherwise(frozen.output, group) : otherwise(null, group);
        part.drawn.set(group, [...draws, { input, output }]);
        return output;
      },
    };
  };
  const answer = (name: string) => (output: unknown) =>
    output ?? stop(`draws ${name} for a group that the other draws none for`);
  return {
    parts,
    differences,
    draws: asDraws({
      noise(noise, name) {
        const part = prepare(name, noise);
        return (exact, key) => part.draw(key, coordinate(exact), answer(name)) as bigint;
      },
      selection(rule, name) {
        const part = prepare(name, rule);
        return (units, key) =>
          part.draw(key, coordinate(units), (kept, group) => {
            if (kept !== true) return false;
            const canBe = keepProbability(rule, units) > 0;
            if (!canBe) gone.add(selected(part.at, group));
            return canBe;
          }) as boolean;
      },
      tree(tree, name) {
        const part = prepare(name, tree);
        return (counts, key) => part.draw(key, nodes(tree, counts), answer(name)) as never;
      },
    }),
    gone() {
      for (const [at, { name, drawn }] of recorded.entries()) {
        if (name !== "selection" || parts[at] === undefined) continue;
        for (const [group, draws] of drawn)
          if (draws.some(({ output }) => output === true) && !parts[at].drawn.has(group))
            gone.add(selected(at, group));
      }
      return [...gone];
    },
    unasked: () =>
      recorded.flatMap(({ name, drawn }, at) => {
        if (parts[at] === undefined) return [`draws ${name} on only one of the two`];
        const asked = parts[at].drawn;
        const missing = [...drawn].some(([group, draws]) => draws.length > (asked.get(group)?.length ?? 0));
        return missing && name !== "selection" ? [`draws ${name} for fewer groups`] : [];
      }),
  };
}

interface Prepared {
  readonly at: number;
  /** Hands on what was recorded for this draw of the group, or null where nothing was. */
  draw(
    key: readonly KeyValue[],
    input: ReadonlyMap<string, bigint>,
    otherwise: (output: unknown, group: string) => unknown,
  ): unknown;
}
