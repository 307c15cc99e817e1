import { LetheError } from "@lethe/core";
import type { Node, SelectStmt } from "@pgsql/types";
import { bigQueryWords } from "./bigquery-words.ts";
import { checkDepth, checkLength } from "./check-size.ts";
import { grammarAtHand } from "./grammar.ts";
import { otherWords } from "./other-words.ts";
import { scanTokens } from "./scan-tokens.ts";

/**
 * Parses the SELECT of a view of the policy, without places, since a question's places are those of its own text. It is read when
 * a question names the view, by the grammar that has read the question. Errors: policy.invalid for a text that is not one SELECT.
 */
export function parseView(name: string, text: string): SelectStmt {
  const wrong = (why: string): LetheError =>
    new LetheError("policy.invalid", `views.${name}: ${why}`, {
      fix: "write one SELECT of columns, such as SELECT * FROM a_table WHERE x > 0",
    });
  const grammar = grammarAtHand();
  if (!grammar)
    throw new LetheError("internal.invariant", "a view was read before any question", {
      fix: "parse the question first",
    });
  const tokens = [...scanTokens(text)];
  try {
    checkLength(text);
    checkDepth(tokens);
  } catch (error) {
    throw wrong(error instanceof LetheError ? error.message : "it cannot be read");
  }
  if (/[\0\p{Cs}]/u.test(text)) throw wrong("the text holds a NUL or half a character");
  const [first, second] = statementsOf(bigQueryWords(otherWords(text, tokens), tokens, []), grammar, wrong);
  const statement = first?.stmt;
  if (!statement || second || !("SelectStmt" in statement)) throw wrong("it is not one SELECT");
  for (const node of objectsIn(statement)) {
    if (Object.hasOwn(node, "ParamRef")) throw wrong("a view has no parameters");
    delete (node as { location?: number }).location;
  }
  return statement.SelectStmt;
}

function statementsOf(
  text: string,
  grammar: NonNullable<ReturnType<typeof grammarAtHand>>,
  wrong: (why: string) => LetheError,
): readonly { readonly stmt?: Node }[] {
  try {
    return grammar.parseSync(text).stmts ?? [];
  } catch {
    throw wrong("it is no SQL that PostgreSQL's grammar reads");
  }
}

/** Yields every object of a tree. It keeps its own stack, since the tree may be deep. */
function* objectsIn(tree: object): Iterable<object> {
  const open: object[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    for (const value of Object.values(node))
      if (typeof value === "object" && value !== null) open.push(value);
  }
}
