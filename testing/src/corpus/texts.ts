import { asked, type CorpusQuestion } from "./corpus-question.ts";

/** Functions of texts and of numbers, over what is public and over what is not. */
export const texts: readonly CorpusQuestion[] = asked("rows", [
  "SELECT SUBSTRING(sector FROM 1 FOR 3), COUNT(*) FROM people GROUP BY 1",
  "SELECT SUBSTR(town, 2), COUNT(*) FROM people GROUP BY 1",
  "SELECT RIGHT(sector, 2) || LEFT(sector, 1), COUNT(*) FROM people GROUP BY 1",
  "SELECT UPPER(LTRIM(RTRIM(town))), COUNT(*) FROM people GROUP BY 1",
  "SELECT TRIM(LEADING FROM town), COUNT(*) FROM people GROUP BY 1",
  "SELECT REPLACE(sector, 'ction', ''), COUNT(*) FROM people GROUP BY 1",
  "SELECT STRPOS(sector, 'o'), COUNT(*) FROM people GROUP BY 1",
  "SELECT COUNT(*) FROM people WHERE POSITION('%' IN town) = 0",
  "SELECT COUNT(*) FROM people WHERE STARTS_WITH(town, '50%') OR ENDS_WITH(town, '_') OR CONTAINS(town, '\\')",
  "SELECT WIDTH_BUCKET(age, 0, 120, 12), COUNT(*) FROM people GROUP BY 1",
  "SELECT WIDTH_BUCKET(debt, -1000, 1000, 4), COUNT(*) FROM people GROUP BY 1",
  "SELECT DIV(age, 10), SUM(TRUNC(wage)) FROM people GROUP BY 1",
  // Refused.
  "SELECT SUBSTR(town, 0), COUNT(*) FROM people GROUP BY 1",
  "SELECT SUBSTR(town, age), COUNT(*) FROM people GROUP BY 1",
  "SELECT RIGHT(town, -1), COUNT(*) FROM people GROUP BY 1",
  "SELECT REPLACE(town, sector, ''), COUNT(*) FROM people GROUP BY 1",
  "SELECT REPLACE(town, '', 'x'), COUNT(*) FROM people GROUP BY 1",
  "SELECT COUNT(*) FROM people WHERE CONTAINS(town, sector)",
  "SELECT WIDTH_BUCKET(wage, 10, 0, 5), COUNT(*) FROM people GROUP BY 1",
  "SELECT WIDTH_BUCKET(wage, 0, 10, age), COUNT(*) FROM people GROUP BY 1",
]);
