import type { PostExpression, PostOperator } from "@lethe/query";
import { list, literal, matching, object, type Read, scalar, tagged, text } from "./shape.ts";

/** The verifier gives operators no meaning of its own: it compares them with those of the question planned again. */
export const operatorName: Read<string> = matching(/^[\w<>=+*/%-]{1,24}$/, "the name of an operator");

export const postExpression: Read<PostExpression> = (value, path) => postExpressions(value, path);
const postExpressions: Read<PostExpression> = tagged("kind", {
  literal: object({ kind: literal("literal"), value: scalar }),
  key: object({ kind: literal("key"), key: text }),
  "grouped-away": object({ kind: literal("grouped-away"), key: text }),
  other: object({ kind: literal("other"), key: text }),
  aggregate: object({ kind: literal("aggregate"), aggregate: text }),
  call: object({
    kind: literal("call"),
    operator: operatorName as Read<PostOperator>,
    args: list(postExpression),
  }),
  case: object({
    kind: literal("case"),
    // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is a reader, never awaited
    branches: list(object({ when: postExpression, then: postExpression })),
    otherwise: postExpression,
  }),
});
