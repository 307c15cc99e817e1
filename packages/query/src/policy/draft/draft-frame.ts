import type { Adjacency } from "../policy.ts";
import { flow, scalar } from "../yaml-words.ts";

/** The owner's words about a policy that do not depend on its tables. */
export interface DraftFrame {
  /** The name of a unit; "person" unless stated. */
  readonly unitName?: string;
  readonly adjacency?: Adjacency;
  readonly maxGroups?: number;
  readonly maxRowsPerGroup?: number;
  /** The rows that the contribution limits apply to; groups-after-filter unless stated. */
  readonly limit?: "groups-after-filter" | "rows-before-filter";
  /** The budget in texts, as the owner wrote them: "0.5", "1e-6". */
  readonly budget?: {
    readonly measure: "pure" | "approximate" | "zcdp";
    readonly epsilon?: string;
    readonly delta?: string;
    readonly rho?: string;
    readonly analysts?: Readonly<Record<string, string>>;
  };
}

export function unitLines({ unitName, adjacency }: DraftFrame): string[] {
  const unit = flow([
    ["name", scalar(unitName ?? "person")],
    ["adjacency", adjacency ?? "add-or-remove-one"],
  ]);
  return ["version: 1", `privacy_unit: ${unit} # or replace-one: then only the number of units is public`];
}

/** Returns the contribution limits of a table whose units may have many rows. */
export function contributionLines({ maxGroups, maxRowsPerGroup, limit }: DraftFrame): string[] {
  return [
    `    max_groups_contributed: ${maxGroups ?? 1} # groups of one answer that a unit contributes to; others are left out`,
    `    max_rows_contributed_per_group: ${maxRowsPerGroup ?? 1} # rows that a unit contributes to a group`,
    ...(limit === undefined ? [] : [`    limit: ${limit} # ${limitWords[limit]}`]),
  ];
}

const limitWords: Readonly<Record<NonNullable<DraftFrame["limit"]>, string>> = {
  "groups-after-filter": "of the rows that a question leaves",
  "rows-before-filter":
    "of the table: their product is the number of a unit's rows that count; lethe index build makes it fast",
};

export function budgetLines(frame: DraftFrame): string[] {
  const budget = frame.budget ?? { measure: "approximate", epsilon: "5", delta: "1e-6" };
  const analysts = Object.entries(budget.analysts ?? {}).map(([name, cap]) => [scalar(name), cap] as const);
  return [
    '# Questions may be asked of views as of tables: views: { adults: "SELECT * FROM people WHERE age >= 18" }',
    "# Spent by every question and never refilled. pure: epsilon. approximate: epsilon, delta. zcdp: rho, or epsilon and delta.",
    "# head_file: /mnt/other/lethe.head, among these, keeps the ledger's head on another disk: an older ledger put back is refused.",
    `budget: ${flow([
      ["measure", budget.measure],
      ["epsilon", budget.epsilon],
      ["rho", budget.rho],
      ["delta", budget.delta],
      ["analysts", analysts.length > 0 ? flow(analysts) : undefined],
    ])}`,
  ];
}
