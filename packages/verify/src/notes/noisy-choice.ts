import type { OverRelation, Plan, PostExpression } from "@lethe/query";
import { columnKind } from "../checks/answer.ts";
import { leaves } from "../derive/leaves.ts";
import type { MadeRows } from "../over/made-rows.ts";
import { overRows } from "../over/over-rows.ts";
import { stepsLeft } from "../over/unmade.ts";

/** Rows that are kept, or cut off, by noisy values. */
export function* noisyChoice(plan: Plan): Iterable<string> {
  const {
    post: { having, orderBy, limit, offset },
    over,
  } = plan;
  const isCut = limit !== null || offset > 0;
  if (
    (having && readsNoise(having)) ||
    (isCut && orderBy.some(({ by }) => readsNoise(by))) ||
    (over && isChosen(over, plan))
  )
    yield "rows were chosen by their noisy values; the confidence of an interval holds for a group named beforehand, not for one that was chosen by its value";
}

/** Keys have no noise. */
export function readsNoise(expression: PostExpression): boolean {
  return [...leaves(expression)].some(({ kind }) => kind === "aggregate");
}

/** Whether a SELECT over the answer keeps rows, or cuts them off, by what is no key of it. */
function isChosen(over: OverRelation, plan: Plan): boolean {
  const within = partsOf(over);
  return (
    within.some((part) => isChosen(part, plan)) || chosenBy(over).some((by) => !readsKeys(by, over, plan))
  );
}

function partsOf(over: OverRelation): readonly OverRelation[] {
  if (over.kind === "answer" || over.kind === "values") return [];
  if (over.kind === "union") return over.parts;
  return over.kind === "joined" ? [over.left, over.right] : [over.of];
}

function chosenBy(over: OverRelation): readonly PostExpression[] {
  if (over.kind === "filtered") return [over.where];
  if (over.kind === "joined") return over.on === null ? [] : [over.on];
  if (over.kind !== "ordered" || (over.limit === null && over.offset === 0)) return [];
  return over.orderBy.map(({ by }) => by);
}

function readsKeys(expression: PostExpression, over: OverRelation, plan: Plan): boolean {
  const none = (name: string | undefined): MadeRows => ({
    columns: (plan.others?.find((other) => other.name === name)?.plan ?? plan).outputs.map((output) => ({
      name: output.name,
      isNumber: false,
      copied: columnKind(output),
    })),
    rows: [],
  });
  const { columns } = overRows(over, none, stepsLeft());
  const keys = new Set(columns.flatMap(({ name, copied }) => (copied === "key" ? [name] : [])));
  return [...leaves(expression)].every((leaf) => leaf.kind !== "key" || keys.has(leaf.key));
}
