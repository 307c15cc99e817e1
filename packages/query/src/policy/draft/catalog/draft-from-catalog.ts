import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { didYouMean } from "../../../refusals/did-you-mean.ts";
import type { Catalog } from "../../catalog.ts";
import { atKey } from "../../entry-of.ts";
import type { ColumnOfTable } from "../../policy.ts";
import { budgetLines, type DraftFrame, unitLines } from "../draft-frame.ts";
import { columnMeant, isCalled } from "./column-meant.ts";
import { compareTexts, type NamedRelation, nameRelations } from "./name-relations.ts";
import { placeColumnWords, type StatedColumns } from "./place-column-words.ts";
import { proposeUnits, type UnitProposal } from "./propose-units.ts";
import { said } from "./said.ts";
import { type TableWords, tableLines } from "./table-lines.ts";
import { undecidedLines } from "./undecided-lines.ts";

/** The input of a policy draft where a database declares its tables: names, types, keys and the owner's words. */
export interface CatalogDraft extends DraftFrame, StatedColumns {
  readonly catalog: Catalog;
  readonly source:
    | { readonly kind: "postgres"; readonly urlVariable: string }
    | { readonly kind: "duckdb"; readonly file: string };
  /** people.id: the column that names the unit; or "row", for one table. */
  readonly unit?: string | undefined;
  /** The tables that are wanted, with those on their way to the unit; all where it is empty. */
  readonly only: readonly string[];
}

export interface CatalogProposal {
  readonly yaml: string;
  /** Tables that reach the unit in several ways, of which one was chosen. */
  readonly severalWays: readonly string[];
  /** The tables and views that stand in comments, since no declared key leads from them to the unit. */
  readonly undecided: readonly string[];
}

/**
 * Drafts the YAML of a first policy over tables whose foreign keys a database declares: every table that reaches the unit has its
 * way written out, every other stands in a comment that can be opened. Direction: proposes, never decides: nothing rests on a
 * declared key (docs/decisions/0010-joins.md). Errors: cli.usage, policy.invalid.
 */
export function draftFromCatalog(draft: CatalogDraft): CatalogProposal {
  const { named, refused } = nameRelations(
    draft.catalog,
    draft.source.kind === "postgres" ? "public" : "main",
  );
  if (named.length === 0)
    throw new LetheError("engine.source", "the database has no table that can be asked", {
      fix: "GRANT SELECT on the tables to the role, or name another database",
    });
  const wanted = wantedTables(draft.only, named);
  const { proposals, unit } = proposed(draft.unit, wanted, named);
  const shown = draft.only.length === 0 ? named : withTheirWay(wanted, proposals, unit);
  const owned = shown.flatMap((table) => {
    const proposal = proposals.get(table.name);
    return proposal?.unit ? [{ ...proposal, unit: unit === null ? ("row" as const) : proposal.unit }] : [];
  });
  const ownedTables = owned.map(({ table }) => table);
  const wordsOf = placeColumnWords(draft, shown, ownedTables);
  const words = (table: NamedRelation): TableWords => ({
    frame: draft,
    file: draft.source.kind === "duckdb" ? draft.source.file : null,
    columns: atKey(wordsOf, table.name),
  });
  const undecided = shown.filter((table) => !proposals.get(table.name)?.unit);
  const lines = [
    "# What may be asked of these data, and at which price. Written from the database's catalog and your words; no row was read.",
    ...unitLines(draft),
    ...(draft.source.kind === "postgres"
      ? [`database: { kind: postgres, url_env: ${draft.source.urlVariable} }`]
      : []),
    "# The unit of each table is proposed from declared keys. They do not say who is to be protected: check each.",
    "tables:",
    ...owned.flatMap((proposal) => tableLines(proposal.table, proposal, words(proposal.table))),
    ...undecidedLines(undecided, { proposals, owned: ownedTables, words }),
    ...(draft.only.length === 0 ? refused.map((note) => `  # ${note}`) : []),
    "# Numbers outside their bounds are clamped; what is not a number, such a date or a category becomes the default, or NULL.",
    ...budgetLines(draft),
  ];
  return {
    yaml: `${lines.join("\n")}\n`,
    severalWays: owned.flatMap(({ table, otherWays }) => (otherWays.length > 0 ? [table.name] : [])),
    undecided: undecided.map(({ name }) => name),
  };
}

function wantedTables(only: readonly string[], named: readonly NamedRelation[]): readonly NamedRelation[] {
  if (only.length === 0) return named;
  return [...new Set(only)].map((word) => {
    const found = named.filter((table) => isCalled(table, word));
    const exact = found.find(({ name }) => name === word);
    if (exact || found.length === 1) return exact ?? elementAt(found, 0);
    if (found.length > 1)
      throw new LetheError("cli.usage", `--table: several tables are called ${word}`, {
        fix: `name one: ${found.map(({ name }) => name).join(", ")}`,
      });
    throw new LetheError("cli.usage", `--table: the database has no table ${word} that can be asked`, {
      fix: didYouMean(
        word,
        named.map(({ name }) => name),
      ),
    });
  });
}

/** Returns the unit that the keys propose for each table; `unit` is null where each row is one. */
function proposed(
  word: string | undefined,
  wanted: readonly NamedRelation[],
  named: readonly NamedRelation[],
): { readonly proposals: ReadonlyMap<string, UnitProposal>; readonly unit: ColumnOfTable | null } {
  if (word === undefined)
    throw new LetheError("cli.usage", "init must be told who is protected", {
      fix: `name the column that names the person: ${candidates(named)}; or --unit row with --table, when each row is one person`,
    });
  if (word === "row") {
    const [table, ...others] = wanted;
    if (table && others.length === 0)
      // No column names a row, and so nothing refers to it.
      return {
        unit: null,
        proposals: new Map([
          [table.name, { table, unit: { column: "row" }, key: null, otherWays: [], notes: [] }],
        ]),
      };
    throw new LetheError("cli.usage", `--unit row is for one table, and the database has ${wanted.length}`, {
      fix: `name it with --table, or the column that names the person: ${candidates(named)}`,
    });
  }
  const unit = columnMeant(word, named, "--unit");
  const table = named.find(({ name }) => name === unit.table)!;
  const column = table.columns.find(({ name }) => name === unit.column)!;
  if (column.spelling === null)
    throw new LetheError(
      "cli.usage",
      `--unit ${word}: by its type, ${said(column.native)}, one value can be spelled in two ways`,
      {
        fix: "units are compared as texts: name a column of whole numbers, plain texts or UUIDs, or write the policy by hand",
      },
    );
  return {
    unit,
    proposals: new Map(proposeUnits(named, unit).map((proposal) => [proposal.table.name, proposal])),
  };
}

/** Names keys that fit a unit well: those that most other tables refer to. */
function candidates(named: readonly NamedRelation[]): string {
  const references = named.flatMap(({ facts }) => facts.foreignKeys.map((key) => key.references));
  const keys = named.flatMap(({ name, facts }) =>
    facts.keys.flatMap(({ columns }) => {
      const uses = references.filter(
        (to) => to.schema === facts.schema && to.name === facts.name && to.columns[0] === columns[0],
      ).length;
      return columns.length === 1 ? [{ place: `${name}.${columns[0]}`, uses }] : [];
    }),
  );
  keys.sort((a, b) => b.uses - a.uses || compareTexts(a.place, b.place));
  const best = keys.slice(0, 5).map(({ place }) => `--unit ${place}`);
  return best.length === 0 ? "--unit people.id" : best.join(", ");
}

/** Returns the wanted tables, and every table on their way to the unit. */
function withTheirWay(
  wanted: readonly NamedRelation[],
  proposals: ReadonlyMap<string, UnitProposal>,
  unit: ColumnOfTable | null,
): readonly NamedRelation[] {
  const names = new Set(unit === null ? [] : [unit.table]);
  for (const { name } of wanted) {
    let at: string | undefined = name;
    while (at !== undefined) {
      names.add(at);
      const way: UnitProposal["unit"] = proposals.get(at)?.unit ?? null;
      at = way !== null && "through" in way ? way.to.table : undefined;
    }
  }
  const tables = [...[...proposals.values()].map(({ table }) => table), ...wanted];
  return [...new Set(tables)].filter(({ name }) => names.has(name));
}
