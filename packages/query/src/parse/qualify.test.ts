import { expect, it, test } from "vitest";
import { refusalOf } from "../testing/refusal-of.ts";
import { otherWords } from "./other-words.ts";
import { parseQuestion } from "./parse-question.ts";
import { scanTokens } from "./scan-tokens.ts";

const written = (text: string): string => otherWords(text, [...scanTokens(text)]);

test.each([
  ["SELECT a FROM t QUALIFY n = 1", "SELECT a FROM t HAVING  n = 1"],
  ["SELECT a FROM t WHERE b QUALIFY (n = 1)", "SELECT a FROM t WHERE b HAVING  (n = 1)"],
  ["SELECT a FROM t HAVING c > 1 QUALIFY n = 1", "SELECT a FROM t HAVING c > 1 AND     n = 1"],
  [
    "SELECT a FROM t HAVING (c OR d) QUALIFY (n = 1 OR n = 2) ORDER BY x OR y",
    "SELECT a FROM t HAVING (c OR d) AND     (n = 1 OR n = 2) ORDER BY x OR y",
  ],
  [
    "SELECT a FROM (SELECT b FROM u HAVING c OR d) t QUALIFY n = 1",
    "SELECT a FROM (SELECT b FROM u HAVING c OR d) t HAVING  n = 1",
  ],
  [
    "SELECT a FROM t HAVING c OR d UNION ALL SELECT a FROM t QUALIFY n = 1 OR m = 2",
    "SELECT a FROM t HAVING c OR d UNION ALL SELECT a FROM t HAVING  n = 1 OR m = 2",
  ],
])("%s", (text, due) => {
  expect(written(text)).toBe(due);
});

test.each([
  "SELECT qualify FROM t",
  "SELECT t.qualify, 'QUALIFY n' FROM t",
  'SELECT "qualify" FROM t -- QUALIFY n = 1',
  "SELECT a AS qualify FROM t WHERE qualify = 1 ORDER BY qualify",
  "SELECT a FROM qualify",
  "SELECT COUNT(qualify) FROM t",
])("is no clause in %s", (text) => {
  expect(written(text)).toBe(text);
});

test.each([
  "SELECT a FROM t HAVING c OR d QUALIFY n = 1",
  "SELECT a FROM t HAVING c QUALIFY n = 1 OR n = 2",
  "SELECT a FROM (SELECT b FROM u HAVING c QUALIFY n OR m) t",
])("an OR beside HAVING is refused at its place: %s", async (text) => {
  expect(await refusalOf(parseQuestion(text))).toMatchObject({
    code: "query.unsupported",
    message: "HAVING and QUALIFY stand beside an OR",
    offset: text.indexOf("QUALIFY"),
  });
});

it("stands in a clause of its own", async () => {
  const { select } = await parseQuestion("SELECT a FROM t HAVING (c OR d) QUALIFY (n = 1 OR n = 2)");
  expect(select).toMatchObject({
    havingClause: { BoolExpr: { boolop: "OR_EXPR", location: 26 } },
    qualifyClause: { BoolExpr: { boolop: "OR_EXPR" } },
  });
});
