import { type Expression, listedWords, namesValues, type Plan, writeLiteral, writeSql } from "@lethe/query";

/** Returns a note for each text that stands in a list beside categories and is none: in order of the texts. A function of the plan alone. */
export function wordNotes({ from, where, keys, sums, trees = [] }: Plan): readonly string[] {
  const notes = new Set<string>();
  for (const expression of expressionsIn([from, where, keys, sums, trees]))
    for (const list of listedWords(expression))
      if (namesValues(list)) for (const word of list.impossible) notes.add(noteOn(word, list.of));
  return [...notes].sort();
}

function noteOn(word: string, of: Expression): string {
  const what = of.kind === "column" ? "declared category" : "value";
  return `${writeLiteral(word)} is no ${what} of ${writeSql(of)}, so no row matches it`;
}

const kinds: ReadonlySet<unknown> = new Set<Expression["kind"]>([
  "column",
  "literal",
  "released",
  "call",
  "case",
]);

/** Yields the whole expressions of a tree of plain JSON, wherever they stand. */
function* expressionsIn(tree: unknown): Iterable<Expression> {
  if (typeof tree !== "object" || tree === null) return;
  if ("domain" in tree && "kind" in tree && kinds.has(tree.kind)) yield tree as Expression;
  else for (const part of Object.values(tree)) yield* expressionsIn(part);
}
