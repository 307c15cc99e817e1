import { LetheError } from "@lethe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../../../../../../testing/src/postgres/start-postgres.ts";
import { openSide } from "../corpus/catalog-side.ts";
import type { CatalogRows } from "../corpus/real-catalog.ts";
import { RealCatalog } from "../corpus/real-catalog.ts";
import { diceOf } from "./dice.ts";
import { randomStatement } from "./random-statement.ts";

/** How many statements are tried, and the seed of the first. Both may be stated: LETHE_CATALOG_STATEMENTS=100000 LETHE_CATALOG_SEED=7. */
const count = Number(process.env.LETHE_CATALOG_STATEMENTS ?? 4_000);
const seed = Number(process.env.LETHE_CATALOG_SEED ?? 91);

/** An answer in one line, or why there is none: for a value that cannot be computed, or for anything else. */
type Answered =
  | { readonly answer: string }
  | { readonly fails: "value" | "otherwise"; readonly code: string };

/** Values that cannot be computed. Both sides must say so. */
const failing: readonly string[] = [
  ...[
    "2147483647 + 1",
    "-2147483648 - 1",
    "65536 * 65536",
    "-(-2147483648)::integer",
    "abs(-2147483648)",
    "1 / 0",
    "1 % 0",
  ],
  ...[
    "9223372036854775807 + 1",
    "(-9223372036854775807 - 1) / -1",
    "abs(-9223372036854775807 - 1)",
    "1::bigint / 0",
  ],
  ...[
    "2147483648::integer",
    "'x'::integer",
    "''::integer",
    "'1.5'::integer",
    "'maybe'::boolean",
    "'{1'::integer[]",
  ],
  ...[
    "left('a', 1) || ('b' ~ '[')",
    "'ab' LIKE 'a\\'",
    "split_part('a', ',', 0)",
    "substring('a' from 1 for -1)",
  ],
  ...[
    "format('%s %s', 1)",
    "format('%I', NULL)",
    "'public.nothing'::regclass",
    "'nothing'::regtype",
    "parse_ident('a b')",
  ],
];

describe.skipIf(!hasPostgres())("random statements over small lists of rows", () => {
  let real: RealCatalog;
  beforeAll(async () => {
    real = await RealCatalog.start();
  });
  afterAll(() => real?.stop());

  it("mean what they mean to PostgreSQL", async () => {
    const ours = await openSide([]);
    const differing: string[] = [];
    const seen = { answered: 0, early: 0, late: 0 };
    for (let each = 0; each < count && differing.length < 20; each++) {
      const text = randomStatement(diceOf(seed * 1_000_003 + each));
      const query = { text, parameters: [] };
      const [theirs, own] = [await answerOf(() => real.ask(query)), await answerOf(() => ours(query))];
      const outcome = outcomeOf(theirs, own);
      if ("answer" in theirs) seen.answered += 1;
      if (outcome === "differs")
        differing.push(
          `${each}: ${text}\n  PostgreSQL: ${JSON.stringify(theirs)}\n  the catalog: ${JSON.stringify(own)}`,
        );
      else if (outcome !== "same") seen[outcome] += 1;
    }
    expect(differing).toEqual([]);
    // Statements that fail show little: most must not.
    expect(seen.answered / count).toBeGreaterThan(0.8);
    expect(seen.early / count).toBeLessThan(0.003);
    expect(seen.late / count).toBeLessThan(0.02);
  });

  it.each(failing)("cannot be computed: %s", async (expression) => {
    const ours = await openSide([]);
    const query = { text: `SELECT ${expression}`, parameters: [] };
    const [theirs, own] = [await answerOf(() => real.ask(query)), await answerOf(() => ours(query))];
    expect([theirs, own]).toEqual([
      { fails: expect.any(String), code: expect.any(String) },
      { fails: expect.any(String), code: expect.stringMatching(/^query\.(type|unknown-\w+|option)$/) },
    ]);
  });
});

/**
 * Says how the two fare. A value that cannot be computed may be needless: PostgreSQL computes constants first, of rows that are not there too, and folds
 * what has NULL in it. early: the catalog computed it and PostgreSQL did not; late: PostgreSQL alone did.
 */
function outcomeOf(theirs: Answered, own: Answered): "same" | "differs" | "early" | "late" {
  if ("answer" in theirs && "answer" in own) return theirs.answer === own.answer ? "same" : "differs";
  if ("answer" in theirs) return "fails" in own && own.fails === "value" ? "early" : "differs";
  if ("answer" in own) return theirs.fails === "value" ? "late" : "differs";
  return own.code === "query.unsupported" ? "differs" : "same";
}

async function answerOf(ask: () => Promise<CatalogRows> | CatalogRows): Promise<Answered> {
  try {
    const { columns, rows } = await ask();
    return { answer: JSON.stringify([columns.map(({ type }) => type), rows]) };
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    // Every other error is a fault.
    if (typeof code !== "string" || !(error instanceof LetheError || /^[0-9A-Z]{5}$/.test(code))) throw error;
    return { fails: /^(22|query\.type$)/.test(code) ? "value" : "otherwise", code };
  }
}
