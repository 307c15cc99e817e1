import { describe, expect, it } from "vitest";
import { mayAskCatalog } from "./catalog-asking.ts";
import { readStatement } from "./read-statement.ts";
import { statementsOf } from "./words.ts";

function read(text: string): ReturnType<typeof readStatement> {
  const [words = []] = statementsOf(text);
  return readStatement(text, words);
}

describe("a statement", () => {
  it.each([
    ["SELECT COUNT(*) FROM people", "SELECT COUNT(*) FROM people", 0],
    ["  /* Metabase */ SELECT 1 + 1 ; ", "SELECT 1 + 1", 17],
    ["SHOW TABLES", "SHOW TABLES", 0],
    ["SHOW ALL TABLES", "SHOW ALL TABLES", 0],
    ["SHOW COLUMNS FROM people", "SHOW COLUMNS FROM people", 0],
    ["EXPLAIN PRIVACY SELECT 1", "EXPLAIN PRIVACY SELECT 1", 0],
    ["WITH a AS (SELECT 1) SELECT * FROM a", "WITH a AS (SELECT 1) SELECT * FROM a", 0],
    ["SELECT $1", "SELECT $1", 0],
    ["SELECT 1 FROM people", "SELECT 1 FROM people", 0],
    ["SELECT now()", "SELECT now()", 0],
    ["SELECT '1'::int", "SELECT '1'::int", 0],
    ["PREPARE a AS SELECT 1", "PREPARE a AS SELECT 1", 0],
    ["SELECT pg_total FROM sales", "SELECT pg_total FROM sales", 0],
  ])("is a question where a connection cannot answer it: %s", (text, question, offset) => {
    expect(read(text)).toEqual({ kind: "question", text: question, offset });
  });

  it.each([
    ["COPY (SELECT (1), ')' FROM a) TO STDOUT", "SELECT (1), ')' FROM a", 6, "text", false],
    ["COPY (SELECT 1) TO STDOUT CSV HEADER", "SELECT 1", 6, "csv", true],
    ["copy ( SELECT 1 ) to stdout with (format 'binary', header false)", "SELECT 1", 7, "binary", false],
  ])("is a copy of an answer: %s", (text, question, offset, format, header) => {
    expect(read(text)).toEqual({ kind: "copy", text: question, offset, options: { format, header } });
  });

  it.each([
    ["FETCH c", 1, false],
    ["FETCH NEXT FROM c", 1, false],
    ["FETCH FORWARD 7 IN c", 7, false],
    ["FETCH 0 FROM c", 0, false],
    ["FETCH ALL FROM c", null, false],
    ['MOVE FORWARD ALL IN "c"', null, true],
  ])("reads a cursor forward: %s", (text, most, moves) => {
    expect(read(text)).toEqual({ kind: "fetch", cursor: "c", most, moves });
  });

  it.each([
    ["COPY a TO STDOUT", "query.unsupported", undefined],
    ["COPY (SELECT 1) TO '/etc/passwd'", "query.unsupported", undefined],
    ["COPY (SELECT 1) TO STDOUT (DELIMITER ';')", "query.unsupported", undefined],
    ["COPY (SELECT 1 TO STDOUT", "query.syntax", undefined],
    ["FETCH BACKWARD 3 FROM c", "query.syntax", undefined],
    ["FETCH -3 FROM c", "query.syntax", undefined],
    ["FETCH c d", "query.syntax", undefined],
    ["DECLARE c BINARY CURSOR FOR SELECT 1", "query.syntax", undefined],
    ["DECLARE c CURSOR FOR", "query.syntax", undefined],
    ["SET x", "query.syntax", undefined],
    ["SET = 1", "query.syntax", undefined],
    ["SAVEPOINT", "query.syntax", undefined],
  ])("is refused: %s", (text, code, offset) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code, offset }));
  });

  it.each([
    ["SELECT 1", true],
    ["SELECT relname FROM pg_class", true],
    ['select a from x, "pg_type" t', true],
    ["WITH t AS (SELECT 1) SELECT * FROM information_schema.tables", true],
    ["(VALUES (1))", true],
    ["SELECT COUNT(*) FROM people", false],
    ["SHOW TABLES", false],
    ["DESCRIBE pg_x", false],
    ["EXPLAIN PRIVACY SELECT 1", false],
  ])("may ask the catalog: %s", (text, may) => {
    const [words] = statementsOf(text);
    expect(mayAskCatalog(words ?? [])).toBe(may);
    expect(read(text).kind).toBe("question");
  });

  it("ends at a semicolon that is in no text, name or comment", () => {
    const text = `SELECT ';' AS ";"; -- ;\n/* ; */ SELECT $$;$$;;`;
    expect(statementsOf(text).map((words) => words.map((word) => word.text).join(" "))).toEqual([
      `select ';' as ";"`,
      "select $$;$$",
    ]);
  });
});
