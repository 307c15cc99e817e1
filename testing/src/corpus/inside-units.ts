import { asked, type CorpusQuestion } from "./corpus-question.ts";

/** Values of each unit, made of its own rows in a subquery. */
export const insideUnits: readonly CorpusQuestion[] = [
  ...asked("shop", [
    "SELECT COUNT(*) FROM (SELECT person_id, COUNT(*) AS n FROM visits GROUP BY person_id) t WHERE n > 10",
    "SELECT COUNT(*) FROM (SELECT person_id FROM visits GROUP BY person_id HAVING COUNT(*) > 10) t",
    "SELECT CASE WHEN n < 3 THEN 'few' WHEN n < 10 THEN 'some' ELSE 'many' END AS visits, COUNT(*) FROM (SELECT person_id, COUNT(*) AS n FROM visits GROUP BY person_id) t GROUP BY 1",
    "SELECT WIDTH_BUCKET(total, 0, 20, 4), COUNT(DISTINCT person_id) FROM (SELECT person_id, SUM(cost) AS total FROM visits GROUP BY person_id) t GROUP BY 1",
    "SELECT AVG(most) FROM (SELECT person_id, MAX(cost) AS most FROM visits GROUP BY person_id) t",
    "SELECT AVG(LEAST(n, 20)), MEDIAN(LEAST(n, 20)) FROM (SELECT person_id, COUNT(*) AS n FROM visits GROUP BY person_id) t",
    "WITH spent AS (SELECT person_id, SUM(cost) AS total, COUNT(*) AS n FROM visits GROUP BY 1) SELECT town, AVG(total / n, contribution_bounds_per_row => (0, 5)) FROM people JOIN spent ON person_id = id GROUP BY town",
    "SELECT first, COUNT(*) FROM (SELECT person_id, MIN(ward) AS first FROM visits GROUP BY person_id) t GROUP BY first",
    "SELECT wards, COUNT(*) FROM (SELECT person_id, COUNT(DISTINCT kind) AS wards FROM visits JOIN items USING (visit_id) JOIN codes USING (code) GROUP BY person_id) t GROUP BY wards",
    "SELECT kind, AVG(s) FROM (SELECT v.person_id, kind, SUM(price, contribution_bounds_per_group => (0, 30)) AS s FROM visits v JOIN items USING (visit_id) JOIN codes USING (code) GROUP BY v.person_id, kind) t GROUP BY kind",
    "SELECT COUNT(*) FROM (SELECT DISTINCT person_id, ward FROM visits) t",
    "SELECT COUNT(*) FILTER (WHERE dear > 0) FROM (SELECT person_id, COUNT_IF(cost > 3) AS dear FROM visits GROUP BY person_id) t",
    "SELECT SUM(cost - mean) FROM visits v JOIN (SELECT person_id, AVG(cost) AS mean FROM visits GROUP BY person_id) t ON v.person_id = t.person_id",
    "SELECT AVG(cost) FROM (SELECT person_id, cost, ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY cost DESC) AS n FROM visits) t WHERE n = 1",
    "SELECT SUM(cost - before) FROM (SELECT cost, LAG(cost) OVER (PARTITION BY person_id ORDER BY visit_id) AS before FROM visits) t",
    "SELECT ward, AVG(share, contribution_bounds_per_row => (0, 1)) FROM (SELECT ward, cost / SUM(cost) OVER (PARTITION BY person_id) AS share FROM visits) t GROUP BY ward",
    "SELECT kind, COUNT(*) FROM (SELECT kind, RANK() OVER (PARTITION BY person_id, kind ORDER BY price) AS r FROM visits JOIN items USING (visit_id) JOIN codes USING (code)) t WHERE r <= 2 GROUP BY kind",
    "SELECT AVG(m) FROM (SELECT AVG(cost) OVER (PARTITION BY person_id ORDER BY visit_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS m FROM visits) t",
    "SELECT COUNT(*) FROM (SELECT person_id, MAX(n) AS n FROM (SELECT person_id, ROW_NUMBER() OVER (PARTITION BY person_id, ward ORDER BY cost) AS n FROM visits) a GROUP BY person_id) t WHERE n > 2",
    "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (ORDER BY cost) AS n FROM visits) t WHERE n < 10",
    "SELECT COUNT(*) FROM (SELECT SUM(cost) OVER (PARTITION BY person_id ORDER BY cost RANGE 2 PRECEDING) AS s FROM visits) t",
    "SELECT COUNT(*) FROM (SELECT NTILE(4) OVER (PARTITION BY person_id ORDER BY cost) AS q FROM visits) t",
    "SELECT ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY cost) FROM visits",
    // Nothing bounds a unit's rows, so what they come to has no bounds of its own.
    "SELECT SUM(n) FROM (SELECT person_id, COUNT(*) AS n FROM visits GROUP BY person_id) t",
    "SELECT AVG(total) FROM (SELECT person_id, SUM(cost) AS total FROM visits GROUP BY person_id) t",
    "SELECT AVG(m) FROM (SELECT person_id, MEDIAN(cost) AS m FROM visits GROUP BY person_id) t",
    "SELECT AVG(m) FROM (SELECT person_id, cost AS m FROM visits GROUP BY person_id) t",
    "SELECT AVG(m) FROM (SELECT visit_id, MAX(price) AS m FROM items GROUP BY visit_id) t",
    "SELECT COUNT(*) FROM (SELECT code, COUNT(*) FROM guests GROUP BY code) t",
    "SELECT COUNT(*) FROM (SELECT kind, COUNT(*) FROM codes GROUP BY kind) t",
    "SELECT COUNT(*) FROM (SELECT person_id, ward, COUNT(*) FROM visits GROUP BY ROLLUP (person_id, ward)) t",
  ]),
  ...asked("shop-replaced", [
    "SELECT COUNT(*), AVG(mean) FROM (SELECT person_id, AVG(cost) AS mean FROM visits GROUP BY person_id) t",
  ]),
];
