import ts from "typescript";

/**
 * Returns the text of a source with a probe at each of `faults`, { start, number }: code that says "fault `number` is reached" before anything
 * runs that the fault changes. A probe may say so too often (of a parameter's default it speaks when the module is loaded), never too seldom.
 * @example probed("x.ts", "f(a + b);", [{ start: 4, number: 7 }]) // => "globalThis.letheMet?.(7);f(a + b);"
 */
export function probed(path, text, faults) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const insertions = faults.flatMap(({ start, number }) => {
    const call = `globalThis.letheMet?.(${number})`;
    const { node, wrap } = placeOf(innermost(source, start));
    const [from, to] = [node.getStart(source), node.getEnd()];
    if (wrap === "expression")
      return [
        { at: from, text: `(${call}, ` },
        { at: to, text: ")" },
      ];
    if (wrap === "block")
      return [
        { at: from, text: `{ ${call}; ` },
        { at: to, text: " }" },
      ];
    return [{ at: from, text: `${call};` }];
  });
  return insertions
    .map((insertion, order) => ({ ...insertion, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order)
    .reduce((made, { at, text: piece }) => made.slice(0, at) + piece + made.slice(at), text);
}

function innermost(source, position) {
  let node = source;
  for (;;) {
    const inner = ts.forEachChild(node, (child) =>
      child.getStart(source) <= position && position < child.getEnd() ? child : undefined,
    );
    if (!inner) return node;
    node = inner;
  }
}

/** The nearest place around a node that takes a probe. */
function placeOf(node) {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (ts.isArrowFunction(parent) && parent.body === at && !ts.isBlock(at))
      return { node: at, wrap: "expression" };
    const isBranch =
      (ts.isIfStatement(parent) && parent.expression !== at) ||
      (ts.isIterationStatement(parent, false) && parent.statement === at);
    if (isBranch && !ts.isBlock(at)) return { node: at, wrap: "block" };
    const isListed =
      ts.isBlock(parent) ||
      ts.isSourceFile(parent) ||
      (ts.isCaseOrDefaultClause(parent) && parent.expression !== at);
    if (isListed) return { node: at, wrap: "none" };
  }
  throw new Error("a probe has no place outside of statements");
}
