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

type Answered = { readonly answer: CatalogRows } | { readonly state: string };

describe.skipIf(!hasPostgres())("random statements over small lists of rows", () => {
  let real: RealCatalog;
  beforeAll(async () => {
    real = await RealCatalog.start();
  });
  afterAll(() => real?.stop());

  it("mean what they mean to PostgreSQL", async () => {
    const ours = await openSide([]);
    const differing: string[] = [];
    let answered = 0;
    for (let each = 0; each < count && differing.length < 20; each++) {
      const text = randomStatement(diceOf(seed * 1_000_003 + each));
      const query = { text, parameters: [] };
      const [theirs, own] = [await answerOf(() => real.ask(query)), await answerOf(async () => ours(query))];
      if ("answer" in theirs) answered += 1;
      // PostgreSQL computes constants before it knows whether a row needs them, and leaves out what NULL decides: that one side fails by a value shows nothing.
      if (failsByValue(theirs) || failsByValue(own)) continue;
      if (worded(theirs) !== worded(own))
        differing.push(`${each}: ${text}\n  PostgreSQL: ${worded(theirs)}\n  the catalog: ${worded(own)}`);
    }
    expect(differing).toEqual([]);
    // Statements that fail show little: most must not.
    expect(answered / count).toBeGreaterThan(0.6);
  });
});

async function answerOf(ask: () => Promise<CatalogRows>): Promise<Answered> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (error instanceof LetheError)
      return { state: /division by zero|out of range/.test(error.message) ? "22003" : error.code };
    const state = (error as { readonly code?: unknown }).code;
    if (typeof state === "string" && /^[0-9A-Z]{5}$/.test(state)) return { state };
    throw error;
  }
}

function failsByValue(answered: Answered): boolean {
  return "state" in answered && answered.state.startsWith("22");
}

/** An answer in one line. That both fail is the same, whatever they say; that the catalog alone does not answer is a difference. */
function worded(answered: Answered): string {
  if ("state" in answered) return "fails";
  const { columns, rows } = answered.answer;
  return JSON.stringify([columns.map(({ type }) => type), rows]);
}
