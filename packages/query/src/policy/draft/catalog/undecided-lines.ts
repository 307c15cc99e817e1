import type { NamedRelation } from "./name-relations.ts";
import type { UnitProposal } from "./propose-units.ts";
import { type TableWords, tableLines } from "./table-lines.ts";

/**
 * Tables of which no key says whose they are, in comments. One that owned tables refer to, and that refers to none of
 * them, is offered as public; of any other the owner has to say it before the policy can be read.
 */
export function undecidedLines(
  undecided: readonly NamedRelation[],
  known: {
    readonly proposals: ReadonlyMap<string, UnitProposal>;
    readonly owned: readonly NamedRelation[];
    readonly words: (table: NamedRelation) => TableWords;
  },
): string[] {
  if (undecided.length === 0) return [];
  const { proposals, owned, words } = known;
  return [
    "  # No declared key says whose the rows of the tables below are. To ask one, take its # away, and write unit: COLUMN,",
    "  # unit: { through: COLUMN, references: TABLE.KEY }, or, if its rows are nobody's and no secret, public: true.",
    ...undecided.flatMap((table) => {
      const proposal = proposals.get(table.name);
      const isLookup =
        owned.some((other) => refersTo(other, table)) && !leadsToOwned(table, undecided, owned);
      const whose = {
        unit: isLookup ? ("public" as const) : ("unknown" as const),
        key: proposal?.key ?? null,
        otherWays: [],
        notes: proposal?.notes ?? [],
      };
      const view = table.facts.kind === "view" ? ["  # a view, which declares no keys:"] : [];
      return [...view, ...tableLines(table, whose, words(table)).map((line) => `  #${line.slice(2)}`)];
    }),
  ];
}

function refersTo(from: NamedRelation, to: NamedRelation): boolean {
  const { schema, name } = to.facts;
  return from.facts.foreignKeys.some(
    ({ references }) => references.schema === schema && references.name === name,
  );
}

/** Whether keys of any kind, also those that a policy cannot follow, lead from a table to one that has a unit. */
function leadsToOwned(
  table: NamedRelation,
  undecided: readonly NamedRelation[],
  owned: readonly NamedRelation[],
): boolean {
  const seen = new Set([table]);
  // The set grows while it is walked.
  for (const from of seen) {
    if (owned.some((to) => refersTo(from, to))) return true;
    for (const to of undecided) if (refersTo(from, to)) seen.add(to);
  }
  return false;
}
