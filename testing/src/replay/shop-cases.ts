import { type Policy, readPolicy } from "@lethe/query";
import { neighbourOf, ownedTables, ownerIn, questionOf, randomShop, shapes } from "../joins/random-shop.ts";
import { shopPolicy } from "../joins/shop.ts";
import type { RawTables } from "../reference-evaluator.ts";
import { openTables } from "./open-tables.ts";
import { finished, request, type Script } from "./random-scripts.ts";
import type { OpenedCases } from "./replay-scripts.ts";

/** Native types of the shop's columns; all others are texts. */
const types: Readonly<Record<string, string>> = {
  ...{ id: "INTEGER", person_id: "INTEGER", age: "INTEGER", day: "INTEGER", grade: "INTEGER" },
  ...{ cost: "DOUBLE", price: "DOUBLE", weight: "DOUBLE", fee: "DOUBLE", borrower: "INTEGER", sum: "DOUBLE" },
};

/** The tables of a shop, and others that differ in all that one unit owns. */
export interface ShopNeighbours {
  readonly policy: Policy;
  readonly scripts: readonly Script[];
  readonly sides: readonly RawTables[];
}

export function shopNeighbours(
  seed: number,
  neighbours: number,
  read: (text: string) => Policy = readPolicy,
): ShopNeighbours {
  const { tables, dice } = randomShop(seed);
  const adjacency = dice.one(["add-or-remove-one", "replace-one"]);
  const policy = read(shopPolicy(adjacency, 1 + dice.below(2), 1 + dice.below(3)));
  const units = ownedTables.flatMap((table) =>
    (tables[table] ?? []).flatMap((row) => ownerIn(policy, tables, table, row) ?? []),
  );
  // Of neighbours that replace one unit the same one goes in each, so that each differs in one from the first.
  const gone = units.length === 0 ? "nobody" : dice.one(units);
  return {
    policy,
    scripts: Array.from({ length: 6 }, (_, n) => {
      const shape = shapes[(seed * 6 + n) % shapes.length]!;
      return [request(finished(dice, questionOf(dice, shape)))];
    }),
    sides: [tables, ...Array.from({ length: neighbours }, () => neighbourOf(dice, policy, tables, gone))],
  };
}

/** Random shops in one DuckDB file, each script over one layout of their tables. */
export function openShopCases(seeds: readonly number[], neighbours: number): Promise<OpenedCases> {
  const all = seeds.map((seed) => ({ name: `shop ${seed}`, ...shopNeighbours(seed, neighbours) }));
  return openTables(all, types);
}
