import { invalidParameter } from "../errors/lethe-error.ts";
import { type Exact, unseal } from "../exact/exact.ts";
import type { ExactGroup, ExactRows, KeyValue } from "../exact/exact-rows.ts";
import type { Draws } from "./draws.ts";
import { canonicalKey, compareKeys } from "./key-order.ts";
import { column, measure } from "./measure-sums.ts";
import type { KeyProgram, NoisyGroup, ReleaseProgram } from "./release-program.ts";
import { treeReleaser } from "./release-trees.ts";

type KeysOf<K extends KeyProgram["kind"]> = Extract<KeyProgram, { readonly kind: K }>;
type Answered = { readonly key: readonly KeyValue[]; readonly sums: readonly bigint[] };

function units(group: ExactGroup): bigint {
  return typeof group.units === "bigint" ? group.units : 0n;
}

/** The groups that are answered, for each kind of keys. The program is applied first, so that a broken one fails without the data. */
const answering: {
  readonly [K in KeyProgram["kind"]]: (
    keys: KeysOf<K>,
    draws: Draws,
  ) => (groups: readonly ExactGroup[]) => readonly Answered[];
} = {
  none: () => (groups) => [{ key: [], sums: groups[0]?.sums ?? [] }],
  public(keys) {
    const declared = keys.groups.map((key) => ({ key, name: canonicalKey(key) }));
    if (new Set(declared.map(({ name }) => name)).size !== declared.length) {
      throw invalidParameter("public groups", "a repeated key", "distinct");
    }
    return (groups) => {
      const present = new Map<string, readonly bigint[]>();
      for (const { key, sums } of groups) {
        const name = canonicalKey(key);
        const before = present.get(name);
        // Were one key to come twice, a choice between the two could hang on a single row; their sum does not.
        present.set(name, before ? sums.map((_, at) => column(sums, at) + column(before, at)) : sums);
      }
      return declared.map(({ key, name }) => ({ key, sums: present.get(name) ?? [] }));
    };
  },
  private(keys, draws) {
    const keep = draws.selection(keys.rule, "selection");
    return (groups) =>
      [...groups].sort((a, b) => compareKeys(a.key, b.key)).filter((group) => keep(units(group), group.key));
  },
};

/**
 * The only way from exact rows to numbers that may leave: chooses the groups, then adds to every measurement of every
 * answered group, and to every node of its trees, its own independent draw. `cells` holds the exact rows of each tree. Public keys come in the declared order, private ones in the order of their
 * values, so that the engine's order tells nothing.
 * Errors: parameter.invalid for a broken program; none that depend on the rows.
 */
export function releaseGroups(
  rows: Exact<ExactRows>,
  program: ReleaseProgram,
  draws: Draws,
  cells: readonly Exact<ExactRows>[] = [],
): NoisyGroup[] {
  const measures = program.measurements.map((one, at) => measure(one, draws, `measurement ${at}`));
  if (!Object.hasOwn(answering, program.keys.kind)) {
    throw invalidParameter("keys", program.keys.kind, `one of ${Object.keys(answering).join(", ")}`);
  }
  const trees = treeReleaser(program.trees ?? [], cells, draws);
  const answer = (
    answering[program.keys.kind] as (keys: KeyProgram, draws: Draws) => ReturnType<typeof answering.none>
  )(program.keys, draws);
  return answer(unseal(rows).groups).map(({ key, sums }) => ({
    key: [...key],
    values: measures.map((one) => one(sums, key)),
    trees: trees(key),
  }));
}
