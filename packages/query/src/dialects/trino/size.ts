import { LetheError } from "@lethe/core";

/** What Trino takes of one statement. Each is below what makes a server of version 476 fail, by all statements that were tried: ./size.test.ts. */
export const most = {
  /** Characters: the server's query.max-length is a million unless it is set, and what is left is for the seed, which stands in the text. */
  statement: 990_000,
  /**
   * Names, numbers, texts and operators of one value or condition, without long lists: it becomes one method of Java, which has 64 KiB at most. Of eleven shapes the
   * shortest lists fitted least, with 2,300; half of it, since Trino may write a value that is named once into the one that names it.
   */
  expression: 1150,
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
    `a value or a condition has ${expression} names, numbers and operators, and Trino is given ${most.expression} at most`,
    "write a CASE of fewer branches, fewer conditions, or a shorter expression where bounds are learned; a list of values, IN (…), may be long",
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
const longList = 2;
const part =
  /'(?:[^']|'')*'|(?:\w+\.)?"(?:[^"]|"")*"|\((?:SELECT|VALUES)\b|\bIN \(|[(),]|\b(?:FROM|WHERE|JOIN|ON|GROUP BY|HAVING|ORDER BY|UNION ALL|SELECT)\b|[\w.]+|[^\s\w'"(),]+/g;
const clause = /^(?:,|FROM|WHERE|JOIN|ON|GROUP BY|HAVING|ORDER BY|UNION ALL|SELECT)$/;
/** These only give a value its shape. */
const shape = /^(?:CASE|WHEN|THEN|ELSE|END|AS)$/;

/** Returns the size of the longest value or condition of a statement: its names, numbers, texts and operators, of which a long list has two. */
export function longestExpression(sql: string): number {
  let longest = 0;
  const scopes: Scope[] = [{ kind: "query", size: 0, commas: 0 }];
  const end = ({ size }: Scope): void => {
    longest = Math.max(longest, size);
  };
  for (const [found] of sql.matchAll(part)) {
    const scope = scopes.at(-1);
    if (scope === undefined) break;
    if (found === "(SELECT") scopes.push({ kind: "query", size: 0, commas: 0 });
    else if (found === "(VALUES") scopes.push({ kind: "list", size: 0, commas: listed });
    else if (found === "IN (") scopes.push({ kind: "list", size: 1, commas: 0 });
    else if (found === "(") scopes.push({ kind: "value", size: 0, commas: 0 });
    else if (found === ")") close(scopes, end);
    else if (scope.kind === "query" && clause.test(found)) {
      end(scope);
      scope.size = 0;
    } else if (found === ",") scope.commas += 1;
    else if (!shape.test(found)) scope.size += 1;
  }
  for (const scope of scopes) end(scope);
  return longest;
}

/** A pair of parentheses: around a query, whose clauses and columns are apart; around a list; around anything else. */
interface Scope {
  readonly kind: "query" | "list" | "value";
  size: number;
  commas: number;
}

function close(scopes: Scope[], end: (scope: Scope) => void): void {
  const closed = scopes.pop();
  const around = scopes.at(-1);
  if (closed === undefined || around === undefined) return;
  if (closed.kind === "query") end(closed);
  else around.size += closed.kind === "value" || closed.commas < listed ? closed.size : longList;
}
