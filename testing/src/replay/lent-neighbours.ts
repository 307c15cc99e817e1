import { type Policy, readPolicy } from "@lethe/query";
import { finishedScripts, nativeTypes, policyNeighbours } from "../policies/policy-cases.ts";
import { columnNames, randomNeighbours } from "../random-neighbours.ts";
import type { RawRow } from "../reference-evaluator.ts";
import { peopleScripts } from "./people-cases.ts";
import type { Script } from "./random-scripts.ts";
import { shopNeighbours } from "./shop-cases.ts";

/** Neighbouring tables that a database server holds, those of a side apart from those of every other. */
export interface LentNeighbours {
  readonly name: string;
  readonly policy: (side: number) => Policy;
  readonly scripts: readonly Script[];
  readonly sides: readonly Readonly<Record<string, readonly RawRow[]>>[];
  columns(table: string): readonly { readonly name: string; readonly type: string }[];
}

/** A database server that lends its tables. */
export interface Lender {
  /** The line of a policy that names the server. */
  readonly database: string;
  /** Returns the relation of a side's table. */
  relation(side: number, table: string): string;
  /** A type of the server for each of DuckDB's types. */
  readonly types: Readonly<Record<string, string>>;
  /** The types of the shop's columns by table and column, or by column; all others are texts. */
  readonly shopTypes: Readonly<Record<string, string>>;
}

type Lent = (lender: Lender, seed: number, neighbours: number) => LentNeighbours;

/** Makes the neighbours of a seed, by the form of their tables. */
export const lentForms: Readonly<
  Record<"a table of people" | "several private tables" | "the tables of a shop", Lent>
> = {
  "a table of people": lentPeople,
  "several private tables": lentPolicy,
  "the tables of a shop": lentShop,
};

function lentPeople({ database, relation, types }: Lender, seed: number, many: number): LentNeighbours {
  const neighbours = randomNeighbours(seed, many);
  const { policy, scripts } = peopleScripts(seed, neighbours);
  const columns = columnNames.map((name, at) => ({ name, type: types[neighbours.types[at]!]! }));
  return {
    name: `people ${seed}`,
    policy: (side) =>
      readPolicy(
        `${database}${policy.replace("file: people.duckdb", `relation: ${relation(side, "people")}\n    trusted: true`).replace("file: elsewhere.duckdb", `relation: ${relation(side, "elsewhere")}`)}`,
      ),
    scripts,
    sides: neighbours.tables.map((people) => ({ people })),
    columns: () => columns,
  };
}

function lentPolicy({ database, relation, types }: Lender, seed: number, many: number): LentNeighbours {
  const on = (side: number) =>
    policyNeighbours(seed, many, (table) => `relation: ${relation(side, table)}`, database);
  const { policy, questions, sides } = on(0);
  return {
    name: `policy ${seed}`,
    policy: (side) => on(side).policy,
    scripts: finishedScripts(seed, questions),
    sides,
    columns: (table) =>
      Object.keys(policy.tables[table]!.columns).map((name) => ({
        name,
        type: types[nativeTypes[name] ?? "VARCHAR"]!,
      })),
  };
}

function lentShop(
  { database, relation, types, shopTypes }: Lender,
  seed: number,
  many: number,
): LentNeighbours {
  let text = "";
  const policyOn = (side: number): Policy =>
    readPolicy(
      `${database}${text.replaceAll(/(\w+): \{ file: shop.duckdb/g, (_, table: string) => `${table}: { relation: ${relation(side, table)}`)}`,
    );
  const { policy, scripts, sides } = shopNeighbours(seed, many, (of) => {
    text = of;
    return policyOn(0);
  });
  return {
    name: `shop ${seed}`,
    policy: policyOn,
    scripts,
    sides,
    columns: (table) =>
      Object.keys(policy.tables[table]!.columns).map((name) => ({
        name,
        type: shopTypes[`${table}.${name}`] ?? shopTypes[name] ?? types.VARCHAR!,
      })),
  };
}
