import type { Node } from "@pgsql/types";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import { literalText, resolvePattern } from "./resolve-pattern.ts";
import { matches } from "./resolve-regular.ts";

/** What an operator tests: LIKE or a regular expression, of any case or not, true where it matches or where it does not. */
interface PatternTest {
  readonly isLike: boolean;
  readonly anyCase: boolean;
  readonly isNegated: boolean;
}

/** The operators that test a text against a pattern, as PostgreSQL names them. */
export const patternTests: ReadonlyMap<string, PatternTest> = new Map(
  ["~~", "~~*", "~", "~*"].flatMap((symbol) =>
    [false, true].map((isNegated) => {
      const test = { isLike: symbol.startsWith("~~"), anyCase: symbol.endsWith("*"), isNegated };
      return [isNegated ? `!${symbol}` : symbol, test] as const;
    }),
  ),
);

/** Resolves a test of a text against a pattern; null for every other operator. */
export function resolvePatternTest(
  symbol: string,
  text: Expression,
  pattern: Node,
  { build }: Scope,
  resolve: (node: Node) => Expression,
  offset: number | undefined,
): Expression | null {
  const test = patternTests.get(symbol);
  if (!test) return null;
  const { isLike, anyCase, isNegated } = test;
  const found = isLike
    ? resolvePattern(text, pattern, anyCase, build, offset)
    : matches(text, resolve(pattern), { anyCase }, build, offset);
  return isNegated ? build.call("not", [found], offset) : found;
}

/** SIMILAR TO: the whole text matches a pattern of SQL's own, in which % and _ are those of LIKE. */
export function similarTo(
  text: Expression,
  node: Node,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const args =
    "FuncCall" in node && functionName(node.FuncCall.funcname) === "similar_to_escape"
      ? (node.FuncCall.args ?? [])
      : [node];
  const [pattern = null, mark = "\\"] = args.map((arg) => literalText(arg));
  if (pattern === null || mark === null || [...mark].length > 1)
    return refuse(
      "query.unsupported",
      "SIMILAR TO needs a constant pattern, and a constant escape of at most one character",
      "write x SIMILAR TO '[0-9]{5}'",
      offset,
    );
  return matches(text, build.literal(pattern), { similar: { escape: mark } }, build, offset);
}
