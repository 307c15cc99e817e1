import { LetheError } from "@lethe/core";

/** What Trino takes of one statement. Each is below what makes a server of version 476 fail, by all statements that were tried: ./size.test.ts. */
export const most = {
  /** Characters: the server's query.max-length is a million unless it is set, and what is left is for the seed, which stands in the text. */
  statement: 990_000,
  /**
   * Characters of one value or condition, without texts, names and long lists: it becomes one method of Java, which has 64 KiB at most. Half of what fitted into
   * one, since Trino may write a value that is named once into the one that names it.
   */
  expression: 6000,
  /** Stages: each join, group and window may be one. The engine asks the server for so many, which allows 150 unless it is asked. */
  stages: 300,
} as const;

/**
 * Refuses a statement that Trino would take and then not compile or not plan, after it was charged. What is refused follows from the text alone. Errors:
 * query.too-large.
 */
export function checkSize(sql: string): void {
  const expression = longestExpression(sql);
  demand(
    expression <= most.expression,
    `a value or a condition has ${expression} characters beside its texts, and Trino compiles ${most.expression} at most`,
    "write a CASE of fewer branches, or fewer conditions; a list of values, IN (…), may be long",
  );
  const stages = stagesAtMost(sql);
  demand(
    stages <= most.stages,
    `the statement may take ${stages} stages of Trino, and ${most.stages} at most are asked for`,
    "join or look up fewer tables in one question, or split the question",
  );
}

function demand(holds: boolean, message: string, fix: string): void {
  if (!holds) throw new LetheError("query.too-large", message, { fix });
}

/** Returns the most stages that a statement can take: a table, an aggregate or a window may each be one, a join two, a look into another table three. */
export function stagesAtMost(sql: string): number {
  const words = sql.match(word) ?? [];
  return words.reduce((sum, found) => sum + (stagesOf[found] ?? 0), 1);
}

const word = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:SELECT|JOIN|OVER|DISTINCT|EXISTS)\b/g;
const stagesOf: Readonly<Record<string, number>> = { SELECT: 1, JOIN: 2, OVER: 1, DISTINCT: 2, EXISTS: 3 };

/** Lists of more values are looked up, and take no more code however long they are. */
const listed = 32;
const longList = 60;
const part =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\((?:SELECT|VALUES)\b|\bIN \(|[(),]|\b(?:FROM|WHERE|JOIN|ON|GROUP BY|HAVING|ORDER BY|UNION ALL|SELECT)\b/g;

/** Returns the length of the longest value or condition of a statement, in which a text or a name counts as two characters and a long list as sixty. */
export function longestExpression(sql: string): number {
  let longest = 0;
  let at = 0;
  const scopes: Scope[] = [{ kind: "query", length: 0, commas: 0 }];
  const end = ({ length }: Scope): void => {
    longest = Math.max(longest, length);
  };
  for (const { 0: found, index } of sql.matchAll(part)) {
    const scope = scopes.at(-1);
    if (scope === undefined) break;
    scope.length += index - at;
    at = index + found.length;
    if (found.startsWith("'") || found.startsWith('"')) scope.length += 2;
    else if (found === "(SELECT") scopes.push({ kind: "query", length: 0, commas: 0 });
    else if (found === "(VALUES") scopes.push({ kind: "list", length: 0, commas: listed });
    else if (found === "IN (") scopes.push({ kind: "list", length: 5, commas: 0 });
    else if (found === "(") scopes.push({ kind: "value", length: 1, commas: 0 });
    else if (found === ")") close(scopes, end);
    else if (scope.kind === "query") {
      end(scope);
      scope.length = 0;
    } else {
      scope.length += found.length;
      scope.commas += found === "," ? 1 : 0;
    }
  }
  const last = scopes.at(-1);
  if (last !== undefined) last.length += sql.length - at;
  for (const scope of scopes) end(scope);
  return longest;
}

/** A pair of parentheses: around a query, whose clauses and columns are apart; around a list; around anything else. */
interface Scope {
  readonly kind: "query" | "list" | "value";
  length: number;
  commas: number;
}

function close(scopes: Scope[], end: (scope: Scope) => void): void {
  const closed = scopes.pop();
  const around = scopes.at(-1);
  if (closed === undefined || around === undefined) return;
  if (closed.kind === "query") end(closed);
  else around.length += closed.kind === "value" || closed.commas < listed ? closed.length + 1 : longList;
}
