import type { OutputColumn, Plan, PostExpression } from "@lethe/query";

/** Returns a plan whose aggregates have the names of others in the same places; further ones keep theirs. */
export function calledAs(plan: Plan, others: Plan["aggregates"]): Plan {
  const names = new Map(plan.aggregates.map(({ name }, at) => [name, others[at]?.name ?? name]));
  const nameOf = (name: string): string => names.get(name) ?? name;
  const renamed = (expression: PostExpression): PostExpression => {
    switch (expression.kind) {
      case "aggregate":
        return { ...expression, aggregate: nameOf(expression.aggregate) };
      case "call":
        return { ...expression, args: expression.args.map(renamed) };
      case "case":
        return {
          ...expression,
          branches: expression.branches.map(({ when, then }) => ({
            when: renamed(when),
            // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is never awaited
            then: renamed(then),
          })),
          otherwise: renamed(expression.otherwise),
        };
      default:
        return expression;
    }
  };
  const shown = (output: OutputColumn): OutputColumn => {
    if (output.kind === "aggregate") return { ...output, aggregate: nameOf(output.aggregate) };
    return output.kind === "computed" ? { ...output, expression: renamed(output.expression) } : output;
  };
  const { post } = plan;
  return {
    ...plan,
    aggregates: plan.aggregates.map((aggregate) => ({ ...aggregate, name: nameOf(aggregate.name) })),
    outputs: plan.outputs.map(shown),
    post: {
      ...post,
      having: post.having && renamed(post.having),
      orderBy: post.orderBy.map((item) => ({ ...item, by: renamed(item.by) })),
    },
  };
}
