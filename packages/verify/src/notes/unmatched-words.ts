import { type Expression, type Plan, writeLiteral, writeSql } from "@lethe/query";
import { leaves } from "../derive/leaves.ts";
import { releasedTexts } from "../derive/released-in.ts";

/** Texts that a condition of rows lists beside categories, and that are none. */
export function* unmatchedWords({ from, where, keys, sums, trees }: Plan): Iterable<string> {
  const notes = new Set<string>();
  const tell = ({ of, words }: Tested): void => {
    const { domain } = of;
    if (domain.type !== "text" || domain.values === null) return;
    const isThere = new Set(domain.values);
    if (!words.some((word) => isThere.has(word))) return;
    const kind = of.kind === "column" ? "declared category" : "value";
    for (const word of words)
      if (!isThere.has(word))
        notes.add(`${writeLiteral(word)} is no ${kind} of ${writeSql(of)}, so no row matches it`);
  };
  for (const call of callsIn([from, where, keys, sums, trees]))
    for (const tested of listsOf(call)) tell(tested);
  yield* [...notes].sort();
}

type Call = Extract<Expression, { readonly kind: "call" }>;

/** An expression, and the texts that one list compares it with. */
interface Tested {
  readonly of: Expression;
  readonly words: readonly string[];
}

/** Yields all calls of a plan's expressions over rows, in whatever part of them they stand. */
function* callsIn(part: unknown): Iterable<Call> {
  if (typeof part !== "object" || part === null) return;
  if ("kind" in part && part.kind === "call" && "operator" in part) yield part as Call;
  for (const inner of Object.values(part)) yield* callsIn(inner);
}

/** Returns the lists of a call: its own words for IN, and for each side of an OR of equalities, or of an AND of inequalities, all of its words. */
function listsOf({ operator, args }: Call): readonly Tested[] {
  if (operator === "in") return testedBy(operator, args);
  const joined = operator === "or" ? ["=", "in", "is-not-distinct"] : ["<>", "is-distinct"];
  if (operator !== "or" && operator !== "and") return [];
  const tested = args.flatMap((arg) =>
    arg.kind === "call" && joined.includes(arg.operator) ? testedBy(arg.operator, arg.args) : [],
  );
  return tested.map(({ of }) => ({
    of,
    words: tested.filter((each) => writeSql(each.of) === writeSql(of)).flatMap(({ words }) => words),
  }));
}

/** Returns what a test compares with texts, where these are the same on every row. */
function testedBy(operator: string, args: readonly Expression[]): readonly Tested[] {
  const of = args.find((arg) => [...leaves(arg)].length > 0);
  if (!of || (operator === "in" && of !== args[0])) return [];
  const others = args.filter((arg) => arg !== of);
  if (!others.every(isConstant)) return [];
  return [{ of, words: others.flatMap(textOf) }];
}

/** Whether an expression is one value on every row that the question itself writes. */
function isConstant(expression: Expression): boolean {
  if (expression.kind === "literal") return true;
  const { domain } = expression;
  const isOne = domain.type !== "boolean" && domain.values?.length === 1 && !domain.nullable;
  return isOne && [...leaves(expression)].length === 0 && releasedTexts(expression).length === 0;
}

/** Returns the text that a constant is; none for NULL. */
function textOf({ domain }: Expression): readonly string[] {
  return domain.type === "text" && domain.values?.length === 1 ? domain.values : [];
}
