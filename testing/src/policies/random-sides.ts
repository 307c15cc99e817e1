import type { Dice } from "../dice.ts";
import type { RawRow, RawTables, RawValue } from "../reference-evaluator.ts";
import type { PrivateTable, RandomPolicy } from "./random-policy.ts";

/**
 * Tables that differ in one unit, which has rows in some of the private tables and none in the others: under replace-one whoever takes
 * another's place lives where chance has it, in the tables that are asked or in none of them. What it has is all of one person by name, and
 * at most one row of each table whose rows are units.
 */
export function randomSides(dice: Dice, policy: RandomPolicy, neighbours: number): readonly RawTables[] {
  const others = crowd(dice, policy);
  const first = policy.adjacency === "replace-one" ? withUnit(dice, policy, others, "first") : others;
  return [
    first,
    ...Array.from({ length: neighbours }, (_, at) => withUnit(dice, policy, others, `new${at}`)),
  ];
}

const people: readonly RawValue[] = ["p", "q", "P", " p", "", null];

function crowd(dice: Dice, { tables, publicTables }: RandomPolicy): RawTables {
  const own = tables.map((table) => [
    table.name,
    dice.some(0, 5, () =>
      rowOf(dice, table, dice.one(people), {
        own: dice.one(["k1", "k2", "K1", null]),
        of: dice.one(["k1", "k2", "none", null]),
      }),
    ),
  ]);
  const free = publicTables.map((name) => [
    name,
    dice.some(0, 4, () => ({
      code: dice.one(codes),
      kind: dice.one(["x", "y", "z", null]),
      w: dice.one([null, 0, 0.5, 2, 9]),
    })),
  ]);
  return Object.fromEntries([...own, ...free]);
}

/** Adds a unit whose rows lie in a random choice of tables, in one at least. */
function withUnit(dice: Dice, { tables }: RandomPolicy, others: RawTables, unit: string): RawTables {
  const lived = tables.filter(() => dice.below(2) === 0);
  // Rows that lead to the unit through another table's need rows there: whoever has no other lives in a root.
  const leads = tables.filter(({ kind }) => kind !== "key");
  const homes = lived.some(({ kind }) => kind !== "key") ? lived : [...lived, dice.one(leads)];
  const keys = [`${unit} 1`, `${unit} 2`];
  const added = new Map(
    homes.map((table) => [
      table.name,
      dice.some(1, table.kind === "row" ? 1 : 6, () =>
        rowOf(dice, table, unit, { own: dice.one(keys), of: dice.one(keys) }),
      ),
    ]),
  );
  return Object.fromEntries(
    Object.entries(others).map(([name, rows]) => {
      const at = dice.below(rows.length + 1);
      return [name, [...rows.slice(0, at), ...(added.get(name) ?? []), ...rows.slice(at)]];
    }),
  );
}

const codes: readonly RawValue[] = ["a", "b", "A", null];

interface Keys {
  readonly own: RawValue;
  readonly of: RawValue;
}

function rowOf(dice: Dice, { kind, link, x: [low, high] }: PrivateTable, unit: RawValue, keys: Keys): RawRow {
  const leads = link === null ? {} : { [link]: kind === "key" ? keys.of : unit };
  return {
    ...leads,
    ...(kind === "row" ? {} : { v: keys.own }),
    x: dice.one([low, high, low - 7, high + 100, low + 1, null]),
    y: dice.one([1, 7, 2.5, 1e300, -3, null]),
    g: dice.one(["a", "b", "c", "d", null]),
    h: dice.one(["a", "abcd", "abce", "b", null]),
    code: dice.one(codes),
  };
}
