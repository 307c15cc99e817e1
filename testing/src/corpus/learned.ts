import { asked, type CorpusQuestion } from "./corpus-question.ts";

const auto = "contribution_bounds_per_row => auto";

/** Bounds that nobody stated, or that are far too wide. */
export const learned: readonly CorpusQuestion[] = [
  ...asked("rows", [
    `SELECT SUM(debt, ${auto}) FROM people`,
    `SELECT AVG(age, ${auto}), COUNT(*) FROM people`,
    `SELECT sector, SUM(wage, ${auto}) AS total, SUM(wage) AS within FROM people GROUP BY sector ORDER BY total`,
    `SELECT SUM(1, ${auto}) FROM people`,
    `SELECT AVG(debt, ${auto}) - AVG(wage) AS gap FROM people WHERE age > 20`,
    `SELECT MEDIAN(debt, ${auto}) FROM people`,
    `SELECT COUNT(debt, ${auto}) FROM people`,
    "SELECT SUM(debt, contribution_bounds_per_group => auto) FROM people",
    "SELECT SUM(debt, contribution_bounds_per_row => automatic) FROM people",
    `SELECT SUM(town, ${auto}) FROM people`,
  ]),
  ...asked("rows-replaced", [`SELECT SUM(debt, ${auto}), COUNT(*) FROM people`]),
  ...asked("units", [
    `SELECT town, AVG(debt * 2, ${auto}), VARIANCE(wage, ${auto}) FROM people GROUP BY town`,
    `SELECT STDDEV_POP(debt, ${auto}) FROM people WHERE married`,
  ]),
  ...asked("zcdp", [`SELECT married, SUM(debt, ${auto}) FROM people GROUP BY ROLLUP (married)`]),
  ...asked("shop", [`SELECT SUM(people.age, ${auto}) FROM people JOIN visits ON id = person_id`]),
];
