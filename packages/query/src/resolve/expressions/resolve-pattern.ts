import type { Node } from "@pgsql/types";
import { demandType, type ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { patternParts, spellPattern } from "../../expressions/operators/like-pattern.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";

/** A pattern's cost grows with its length on every row. */
const maxPatternLength = 256;

export function literalText(node: Node | undefined): string | null {
  return node && "A_Const" in node && node.A_Const.sval ? (node.A_Const.sval.sval ?? "") : null;
}

/**
 * LIKE with a literal pattern, which is spelled anew with the backslash as its escape character. ILIKE is LIKE over
 * lower case, for ASCII patterns.
 */
export function resolvePattern(
  text: Expression,
  node: Node,
  anyCase: boolean,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const escaped =
    "FuncCall" in node && functionName(node.FuncCall.funcname) === "like_escape" ? node.FuncCall.args : null;
  const pattern = literalText(escaped ? escaped[0] : node);
  const mark = escaped ? literalText(escaped[1]) : "\\";
  if (pattern === null || mark === null || [...mark].length > 1)
    refuse(
      "query.unsupported",
      "LIKE needs a constant pattern, and a constant escape of at most one character",
      "write x LIKE 'abc%'",
      offset,
    );
  if (pattern.length > maxPatternLength)
    refuse(
      "query.too-large",
      `the pattern is longer than ${maxPatternLength} characters`,
      "shorten it",
      offset,
    );
  const parts = patternParts(pattern, mark);
  if (!parts) refuse("query.type", "the pattern ends in its escape character", "write it twice", offset);
  demandType(text, "text", offset);
  if (!anyCase) return build.call("like", [text, build.literal(spellPattern(parts))], offset);
  if (/[^ -~]/.test(pattern))
    refuse(
      "query.unsupported",
      "ILIKE takes an ASCII pattern",
      "write LOWER(x) LIKE '…' with a lower-case pattern",
      offset,
    );
  const lowered = parts.map((part) => (typeof part === "string" ? part.toLowerCase() : part));
  return build.call(
    "like",
    [build.call("lower", [text], offset), build.literal(spellPattern(lowered))],
    offset,
  );
}
