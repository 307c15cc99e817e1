import { LetheError } from "@lethe/core";

const epsilon = "1";
/** The last day of the invented rows, on which the questions are asked: CURRENT_DATE stands for it. */
const today = "2024-12-31";

/**
 * Explains a question, and then asks it: {result: "answered" | "refused" | "crashed", error, rewrite}. `rewrite` tells of a refused one whether its error
 * offers a whole statement and whether that is accepted: "none", "refused" or "accepted". A question of public tables counts as answered if its rows
 * are the very ones of DuckDB.
 */
export async function tryQuestion({ text, parameters, about }, { house, plain }) {
  const words = { ...(/\bepsilon *=/i.test(text) ? {} : { epsilon }), params: parameters, today };
  try {
    if (about === "public") return await tryPublic(text, words, { house, plain });
    await house.explain(text, words);
    await house.query(text, words);
    return { result: "answered" };
  } catch (error) {
    if (!(error instanceof LetheError)) return { result: "crashed", error, rewrite: "none" };
    return { result: "refused", error, rewrite: await tryRewrites(rewritesIn(error.fix), house) };
  }
}

/** A question of public tables has no price to explain, and its rows are the database's own. */
async function tryPublic(text, words, { house, plain }) {
  const asked = await house.ask(text, words);
  if (asked.kind !== "public") throw new Error("a question of public tables was taken for another");
  checkExact(asked.answer.rows, await plain(text));
  return { result: "answered" };
}

/** The whole statements that stand in the words of a fix. */
export function rewritesIn(fix) {
  return [...fix.matchAll(/\b(?:WITH\s+\w+\s+AS\s*\(|SELECT\s)[\s\S]*?(?=$|;|: |\. [A-Z])/g)]
    .map(([statement]) => statement.replace(/[.,]?\s*$/, ""))
    .filter((statement) => /\bFROM\b/.test(statement) && !/…/.test(statement));
}

async function tryRewrites(statements, house) {
  if (statements.length === 0) return "none";
  for (const statement of statements) {
    const isAccepted = await house.explain(statement, { epsilon, today }).then(
      () => true,
      () => false,
    );
    if (isAccepted) return "accepted";
  }
  return "refused";
}

function checkExact(rows, expected) {
  const said = (table) =>
    JSON.stringify(
      table.map((row) =>
        row.map((cell) => (Number.isFinite(Number(cell)) ? Number(cell).toPrecision(12) : cell)),
      ),
    );
  if (said(rows) !== said(expected)) throw new Error("the answer about public tables is not exact");
}
