// join-work.above: of 500 random join graphs that Lethe accepts (public and private tables, keys, rows_per_key, self-joins, crosses, inequalities,
//   outer joins, semijoins, unions, subqueries), those where one private row was counted in more joined rows than the plan states, on data
//   made to multiply rows (target 0). Counted by DuckDB in the very SQL, of the whole relation, of every part that is written, and of every set of sources that conditions name together.
// join-work.reached: those where it was counted in as many. join-work.largest: the largest count; peer: the most that any plan states.
// join-work.refused: questions refused on the way.
// Options: --graphs N, --seed N.
import { joinWork } from "../testing/src/joins/join-work.mjs";
import { figure } from "./figure.mjs";

export default async function bench(options) {
  const graphs = numberOption(options, "--graphs", 500);
  const { found, refusals } = await joinWork(graphs, numberOption(options, "--seed", 1000), 3);
  const above = found.filter(({ stated, derived, most }) => !(most <= stated && derived === stated));
  for (const { seed, text, stated, most } of above)
    console.error(`seed ${seed}: ${most} joined rows where ${stated} are stated: ${text}`);
  const largest = Math.max(...found.map(({ most }) => most));
  figure("join-work.above", above.length, `of ${graphs} join graphs`);
  figure(
    "join-work.reached",
    found.filter(({ stated, most }) => most === stated).length,
    `of ${graphs} join graphs`,
  );
  figure("join-work.largest", largest, "joined rows", Math.max(...found.map(({ stated }) => stated)));
  figure(
    "join-work.refused",
    [...refusals.values()].reduce((sum, count) => sum + count, 0),
    "questions",
  );
}

function numberOption(options, flag, otherwise) {
  const at = options.indexOf(flag);
  return at < 0 ? otherwise : Number(options[at + 1]);
}
