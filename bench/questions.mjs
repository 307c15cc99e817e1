// questions.answered: of the 150 questions in ./questions/asked, written as analysts write them before any was tried, the share that is explained and
//   then answered on DuckDB at ε 1, in percent. Eight of them (persons) ask for single people and must be refused: they are in the share's whole.
// questions.<theme>: the same of one theme. Of persons, the share that is refused with a rewrite that is accepted.
// questions.refused-well: of those refused, the share whose error or explanation offers a whole statement that is accepted, in percent.
// questions.wrongly-answered: questions for single people that were answered (target 0).
// questions.crashed: those that ended in an error which is no coded refusal (target 0).
// questions.bigquery: BigQuery's own sentences, a case for each form in its reference. questions.tpch: of TPC-H's 22 questions as they are written, a
//   customer being the unit, the share answered of the 20 that do not ask for rows of customers; the public ones must be exact.
// --refused: name: [code] message: fix, and whether a rewrite is offered and accepted.  --only THEME or THEME.NAME.
// --reasons: how many of the 150 are refused under each code, and under each opening of a message.  --plain: runs the questions in DuckDB itself, to see that they are SQL and have an answer.
import { figure } from "./figure.mjs";
import { openSchema } from "./questions/open-schema.mjs";
import { questionsOf, themes } from "./questions/read-questions.mjs";
import { tryQuestion } from "./questions/try-question.mjs";

/** Themes that are no part of the 150. */
const apart = ["bigquery", "tpch"];

export default async function bench(options) {
  const only = options.includes("--only") ? options[options.indexOf("--only") + 1] : "";
  const questions = themes
    .flatMap(questionsOf)
    .filter(({ theme, name }) => `${theme}.${name}`.startsWith(only));
  const schemas = new Map();
  const opened = async (name) => {
    if (!schemas.has(name)) schemas.set(name, await openSchema(name));
    return schemas.get(name);
  };
  const outcomes = [];
  try {
    for (const question of questions) {
      const schema = await opened(question.schema);
      if (options.includes("--plain")) await tellPlain(question, schema);
      else outcomes.push({ ...question, ...(await tryQuestion(question, schema)) });
    }
  } finally {
    for (const schema of schemas.values()) await schema.close();
  }
  if (options.includes("--plain")) return;
  if (options.includes("--refused")) for (const outcome of outcomes) tellRefused(outcome);
  if (options.includes("--reasons")) tellReasons(outcomes.filter(({ theme }) => !apart.includes(theme)));
  report(outcomes);
}

const isAnswered = ({ expect, result }) => expect === "answer" && result === "answered";
const isRefusedWell = ({ result, rewrite }) => result === "refused" && rewrite === "accepted";
const percent = (these, all) => (all.length === 0 ? null : (100 * these.length) / all.length);

function report(outcomes) {
  const ours = outcomes.filter(({ theme }) => !apart.includes(theme));
  for (const theme of themes) {
    const of = outcomes.filter((outcome) => outcome.theme === theme);
    const good = theme === "persons" ? isRefusedWell : isAnswered;
    const whole = theme === "tpch" ? of.filter(({ expect }) => expect === "answer") : of;
    if (whole.length > 0) figure(`questions.${theme}`, percent(whole.filter(good), whole), "%");
  }
  const refused = ours.filter(({ result }) => result === "refused");
  if (ours.length > 0) figure("questions.answered", percent(ours.filter(isAnswered), ours), "%");
  if (refused.length > 0)
    figure("questions.refused-well", percent(refused.filter(isRefusedWell), refused), "%");
  const wrongly = outcomes.filter(({ expect, result }) => expect === "refusal" && result === "answered");
  figure("questions.wrongly-answered", wrongly.length, "questions");
  figure("questions.crashed", outcomes.filter(({ result }) => result === "crashed").length, "questions");
}

function tellRefused({ theme, name, result, error, expect, rewrite }) {
  if (result === "answered") {
    if (expect === "refusal") console.log(`${theme}.${name}: answered, although it asks for single people`);
    return;
  }
  const { code = "no code", message, fix = "" } = error;
  console.log(`${theme}.${name}: [${code}] ${message}: ${fix} (rewrite: ${rewrite})`);
}

function tellReasons(outcomes) {
  const counts = new Map();
  for (const { result, error } of outcomes.filter(({ result }) => result !== "answered")) {
    const code = `${result} ${error.code ?? error.name}`;
    // Names of columns and tables are taken out, so that one fault of many questions counts as one reason.
    const opening = `${code}: ${error.message.replace(/"[^"]*"/g, '"…"').slice(0, 60)}`;
    for (const reason of [code, opening]) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${count} ${reason}`);
}

async function tellPlain({ theme, name, dialect, text }, schema) {
  if (dialect !== "duckdb") return;
  const told = await schema.plain(text).then(
    (rows) => `${rows.length} rows, first ${JSON.stringify(rows[0] ?? null)}`,
    (error) => `ERROR ${error.message.split("\n")[0]}`,
  );
  console.log(`${theme}.${name}: ${told}`);
}
