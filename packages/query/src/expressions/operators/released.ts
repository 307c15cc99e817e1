import { LetheError } from "@lethe/core";
import { readTime, timeLimits } from "../calendar/times.ts";
import { type Domain, isTime } from "../domain.ts";
import type { Expression, ReleasedExpression } from "../expression.ts";
import { booleanDomain, characters, numberDomain, type Scalar, textDomain, timeDomain } from "./domains.ts";

/** The longest text, in characters, that a released value stands for; what is longer is cut. */
const longestText = 1000;

/** Returns the domain of a released value of a type: all that it may be. */
export function releasedDomain(type: Domain["type"]): Domain {
  switch (type) {
    case "number":
      return numberDomain(null, false, true);
    case "text":
      return textDomain(longestText, true);
    case "boolean":
      return booleanDomain(true);
    case "date":
    case "timestamp":
      return timeDomain(type, timeLimits[type], true);
  }
}

/**
 * Returns a released value as an expression reads it: within the domain, times by their number. Whatever is none of the domain's values is NULL. Total: nothing
 * that is released can stop the question that reads it.
 * @example valueWithin(releasedDomain("date"), "2020-02-29") // => 18321
 */
export function valueWithin(domain: Domain, value: Scalar | bigint): Scalar {
  if (isTime(domain)) return typeof value === "string" ? readTime(domain.type, value) : null;
  if (domain.type === "text") {
    if (typeof value !== "string") return null;
    return characters(value) > longestText ? [...value].slice(0, longestText).join("") : value;
  }
  if (domain.type === "boolean") return typeof value === "boolean" ? value : null;
  if (typeof value !== "number" && typeof value !== "bigint") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number + 0 : null;
}

/** Returns the released values that a plan or any part of it reads, in order. */
export function releasedIn(tree: unknown): readonly ReleasedExpression[] {
  const found: ReleasedExpression[] = [];
  withReleased(tree, (expression) => {
    found.push(expression);
    return expression;
  });
  return found;
}

/** Returns a plan, or any part of it, in which released values are the constants that they turned out to be. */
export function fillReleased<Tree>(tree: Tree, value: (released: ReleasedExpression) => Scalar): Tree {
  return withReleased(tree, (released) => ({
    kind: "literal",
    value: value(released),
    domain: released.domain,
  }));
}

/** Replaces each released value of a tree of plain JSON, wherever it stands; a tree without any is returned as it is. */
function withReleased<Tree>(tree: Tree, put: (released: ReleasedExpression) => Expression): Tree {
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) {
    const parts = tree.map((part) => withReleased(part, put));
    return (parts.some((part, at) => part !== tree[at]) ? parts : tree) as Tree;
  }
  if (isReleased(tree)) return put(tree) as Tree;
  const members = Object.entries(tree);
  const made = members.map(([name, part]) => [name, withReleased(part, put)] as const);
  return made.some(([, part], at) => part !== members[at]?.[1]) ? (Object.fromEntries(made) as Tree) : tree;
}

function isReleased(tree: object): tree is ReleasedExpression {
  return "kind" in tree && tree.kind === "released";
}

/** Refuses a released value that no constant was put in the place of. Errors: internal.invariant. */
export function refuseReleased({ sql }: ReleasedExpression): never {
  throw new LetheError("internal.invariant", `nothing stands yet in the place of ${sql}`, {
    fix: "put in what was released before rows are read",
  });
}
