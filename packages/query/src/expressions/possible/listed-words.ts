import { children, type Expression } from "../expression.ts";
import { writeSql } from "../write-sql.ts";
import { type ConstantTest, constantTest, mayBe, valuesOf } from "./possible-values.ts";

/** The texts that one condition compares an expression with: those of IN, and of equalities that OR joins. */
export interface ListedWords {
  readonly of: Expression;
  /** Texts that the expression can be. */
  readonly possible: readonly string[];
  /** Texts that it can never be. */
  readonly impossible: readonly string[];
}

const equalities: ReadonlySet<string> = new Set(["=", "<>", "in", "is-distinct", "is-not-distinct"]);

/** The tests that make one list: those of x = 'a' OR x = 'b', and of x <> 'a' AND x <> 'b'. */
const joined: Readonly<Record<string, ReadonlySet<string>>> = {
  or: new Set(["=", "in", "is-not-distinct"]),
  and: new Set(["<>", "is-distinct"]),
};

/** Yields the texts that an expression's conditions compare columns with, list by list. */
export function* listedWords(expression: Expression): Iterable<ListedWords> {
  for (const tests of listsIn(expression)) {
    const [{ of }] = tests;
    if (of.domain.type !== "text" || !readsColumn(of)) continue;
    const values = valuesOf(of.domain);
    const words = tests.flatMap(({ constants }) => constants).filter((word) => typeof word === "string");
    yield {
      of,
      possible: words.filter((word) => mayBe(values, of, word)),
      impossible: words.filter((word) => !mayBe(values, of, word)),
    };
  }
}

/**
 * Whether a list names values of the expression beside others, which then match no row: an old spelling of a category, or one that these data do not
 * have. A list that names none is taken for a misspelling.
 */
export function namesValues({ of, possible }: ListedWords): boolean {
  return of.domain.type === "text" && of.domain.values !== null && possible.length > 0;
}

type TestsOfOne = readonly [ConstantTest, ...ConstantTest[]];

function* listsIn(expression: Expression): Iterable<TestsOfOne> {
  const within = expression.kind === "call" ? joined[expression.operator] : undefined;
  if (!within) {
    const test = constantTest(expression);
    if (test && equalities.has(test.operator)) yield [test];
    for (const child of children(expression)) yield* listsIn(child);
    return;
  }
  const lists = new Map<string, [ConstantTest, ...ConstantTest[]]>();
  for (const part of children(expression)) {
    const test = constantTest(part);
    if (!test || !within.has(test.operator)) {
      yield* listsIn(part);
      continue;
    }
    const list = lists.get(writeSql(test.of));
    if (list) list.push(test);
    else lists.set(writeSql(test.of), [test]);
    for (const child of children(part)) yield* listsIn(child);
  }
  yield* lists.values();
}

function readsColumn(expression: Expression): boolean {
  return expression.kind === "column" || children(expression).some(readsColumn);
}
