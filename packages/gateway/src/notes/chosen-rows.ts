import {
  aggregatesOf,
  type OverRelation,
  type Plan,
  type PostExpression,
  postParts,
  shownColumns,
} from "@lethe/query";

/** Whether HAVING keeps, or LIMIT cuts off, rows by their noisy values. */
export function choosesByNoise({ post: { having, orderBy, limit, offset } }: Plan): boolean {
  const cut = limit !== null || offset > 0;
  return (having !== null && readsNoise(having)) || (cut && orderBy.some(({ by }) => readsNoise(by)));
}

/** Whether an expression over released rows reads what has noise: keys have none. */
export function readsNoise(expression: PostExpression): boolean {
  return aggregatesOf(expression).length > 0;
}

/** Whether a SELECT over an answer keeps or cuts off rows by anything but keys. */
export function choosesOver(plan: Plan): boolean {
  return plan.over !== undefined && chooses(plan.over, plan);
}

function chooses(over: OverRelation, plan: Plan): boolean {
  switch (over.kind) {
    case "answer":
    case "values":
      return false;
    case "filtered":
      return chooses(over.of, plan) || readsOther([over.where], over.of, plan);
    case "ordered": {
      const isCut = over.limit !== null || over.offset > 0;
      const by = over.orderBy.map((part) => part.by);
      return chooses(over.of, plan) || (isCut && readsOther(by, over.of, plan));
    }
    case "joined": {
      const { left, right, on } = over;
      return (
        [left, right].some((side) => chooses(side, plan)) || (on !== null && readsOther([on], over, plan))
      );
    }
    case "union":
      return over.parts.some((part) => chooses(part, plan));
    default:
      return chooses(over.of, plan);
  }
}

/** Whether one of the expressions over a relation's columns reads one that is no key. */
function readsOther(expressions: readonly PostExpression[], over: OverRelation, plan: Plan): boolean {
  const columns = shownColumns({ ...plan, over });
  const keys = new Set(columns.flatMap(({ name, kind }) => (kind === "key" ? [name] : [])));
  const reads = (expression: PostExpression): boolean =>
    expression.kind === "key" ? !keys.has(expression.key) : postParts(expression).some(reads);
  return expressions.some(reads);
}
