import {
  columnId,
  type Expression,
  lengthWords,
  type Plan,
  tablesOf,
  writeLiteral,
  writeSql,
} from "@lethe/query";

type Call = Extract<Expression, { readonly kind: "call" }>;

const orders: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** Returns a note for each column whose filters the policy rounds, with the times that it is compared with: in the order of the columns. A function of the plan alone. */
export function roundedNotes({ from, where, keys, sums, trees = [] }: Plan): readonly string[] {
  const lengths = new Map(
    tablesOf(from).flatMap(({ source, columns }) =>
      Object.entries(columns).flatMap(([name, column]) =>
        "rounding" in column && column.rounding !== undefined
          ? [
              [
                columnId(source === null ? { name } : { source, name }),
                lengthWords(column.type, column.rounding),
              ],
            ]
          : [],
      ),
    ) as [string, string][],
  );
  if (lengths.size === 0) return [];
  const told = new Map<string, Set<string>>();
  for (const { operator, args } of callsIn([from, where, keys, sums, trees])) {
    const sides = args.map((arg) =>
      arg.kind === "call" && arg.operator === "to-timestamp" ? (arg.args[0] ?? arg) : arg,
    );
    const column = sides.find((side) => side.kind === "column");
    const constant = sides.find((side) => side.kind === "literal");
    if (!orders.has(operator) || column?.kind !== "column" || constant?.kind !== "literal") continue;
    const length = lengths.get(columnId(column));
    if (length === undefined) continue;
    const head = `times that ${writeSql(column)} is compared with are rounded down to ${length}, as the policy says`;
    told.set(head, (told.get(head) ?? new Set()).add(writeLiteral(constant.value, constant.domain)));
  }
  return [...told].map(([head, times]) => `${head}: ${[...times].sort().join(", ")}`).sort();
}

/** Yields all calls of a plan's expressions over rows, in whatever part of them they stand. */
function* callsIn(part: unknown): Iterable<Call> {
  if (typeof part !== "object" || part === null) return;
  if ("kind" in part && part.kind === "call" && "operator" in part) yield part as Call;
  for (const inner of Object.values(part)) yield* callsIn(inner);
}
