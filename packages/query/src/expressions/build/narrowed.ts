import type { Domain } from "../domain.ts";
import { columnId, type Expression } from "../expression.ts";
import { expressionBuilder } from "./build-expression.ts";

/**
 * Returns an expression as it would be built over columns of these domains, by columnId: its own domain is that of the rows on which the
 * columns' domains hold. Errors: query.too-large.
 */
export function narrowed(expression: Expression, domains: ReadonlyMap<string, Domain>): Expression {
  const builder = expressionBuilder();
  const inside = (part: Expression): Expression => {
    switch (part.kind) {
      case "literal":
      case "released":
        return part;
      case "column":
        return { ...part, domain: domains.get(columnId(part)) ?? part.domain };
      case "call":
        return builder.call(part.operator, part.args.map(inside));
      case "case":
        return builder.case(
          // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
          part.branches.map(({ when, then }) => ({ when: inside(when), then: inside(then) })),
          inside(part.otherwise),
        );
    }
  };
  return inside(expression);
}
