import type { JoinExpr, Node } from "@pgsql/types";
import { refused } from "../../refuse.ts";
import { coerce, commonType } from "../../resolve/coerce.ts";
import { equals } from "../../resolve/operator.ts";
import { oids } from "../../types/oids.ts";
import type { Expr } from "../expr.ts";
import { conjunctsOf, stringsOf } from "../nodes.ts";
import { Scope, type Source, type SourceColumn } from "../scope.ts";
import { columnNames, type FromPart, type FromReader } from "./part.ts";
import type { Conjunct, Group, Item } from "./plan.ts";

/** Adds the names of a part to a scope. Errors: query.syntax for a name that is there already. */
export function addPart(scope: Scope, { sources, star }: Pick<FromPart, "sources" | "star">): void {
  scope.sources.push(...sources);
  scope.star.push(...star);
}

const nothing: FromPart = { group: { items: [], conjuncts: [] }, sources: [], star: [], slots: new Set() };

/** Reads the list of FROM, of which every combination stands. `names` are those around it. */
export function joinedParts(nodes: readonly Node[], reader: FromReader, names: Scope | null): FromPart {
  const seen = new Scope(reader.level, names);
  let whole = nothing;
  for (const node of nodes) {
    const part = reader.part(node, reader, seen, false);
    for (const { name } of part.sources)
      if (name !== "" && whole.sources.some((each) => each.name === name && each.schema === null))
        refused("query.syntax", `the name ${JSON.stringify(name)} stands for two tables`);
    addPart(seen, part);
    whole = both(whole, part, []);
  }
  return whole;
}

function both(left: FromPart, right: FromPart, on: readonly Conjunct[]): FromPart {
  return {
    group: {
      items: [...left.group.items, ...right.group.items],
      conjuncts: [...left.group.conjuncts, ...right.group.conjuncts, ...on],
    },
    sources: [...left.sources, ...right.sources],
    star: [...left.star, ...right.star],
    slots: new Set([...left.slots, ...right.slots]),
  };
}

/** Reads a JOIN. */
export function joinPart(join: JoinExpr, reader: FromReader, seen: Scope, isOptional: boolean): FromPart {
  const { jointype = "JOIN_INNER" } = join;
  const [hidesLeft, hidesRight] = [/RIGHT|FULL/.test(jointype), /LEFT|FULL/.test(jointype)];
  const left = reader.part(join.larg as Node, reader, seen, isOptional || hidesLeft);
  const within = new Scope(reader.level, seen.parent);
  addPart(within, seen);
  addPart(within, left);
  const right = reader.part(join.rarg as Node, reader, within, isOptional || hidesRight);
  const merged = mergedColumns(join, left, right, reader);
  const on = [...merged.conjuncts, ...conditions(join, left, right, reader)];
  const joined = joinedBy(jointype, left, right, on);
  const star =
    merged.columns.length === 0
      ? joined.star
      : [
          ...merged.columns,
          ...joined.star.filter(({ name }) => !merged.columns.some((column) => column.name === name)),
        ];
  const part = { ...joined, star };
  return join.alias ? aliased(part, join) : part;
}

/** `(a JOIN b …) AS j`: its columns have one name before the point. */
function aliased(part: FromPart, { alias }: JoinExpr): FromPart {
  const columns = part.star.map(({ name, expr }) => ({ name, type: expr.type, typmod: expr.typmod }));
  const names = columnNames(columns, alias);
  const star = part.star.map((column, at) => ({ ...column, name: names[at] ?? column.name }));
  const source: Source = {
    name: alias?.aliasname ?? "",
    schema: null,
    columns: star,
    rowType: oids.record,
    isPresent: () => true,
  };
  return { ...part, star, sources: [source] };
}

function conditions(
  { quals }: JoinExpr,
  left: FromPart,
  right: FromPart,
  { compiler, level, scope }: FromReader,
): readonly Conjunct[] {
  const names = new Scope(level, scope.parent);
  addPart(names, left);
  addPart(names, right);
  return conjunctsOf(quals).map((node) => {
    const { made, slots } = level.recording(() => compiler.expression(node, names));
    return { expr: coerce(made, oids.bool, "i", compiler.place, compiler.parameters), slots };
  });
}

function mergedColumns(
  join: JoinExpr,
  left: FromPart,
  right: FromPart,
  { compiler, level }: FromReader,
): { readonly columns: readonly SourceColumn[]; readonly conjuncts: readonly Conjunct[] } {
  const names = join.isNatural
    ? left.star.map(({ name }) => name).filter((name) => right.star.some((column) => column.name === name))
    : stringsOf(join.usingClause);
  const { jointype = "JOIN_INNER" } = join;
  const { place, parameters } = compiler;
  const pairs = names.map((name) => {
    const sides = [left, right].map((part) => part.star.find((column) => column.name === name));
    const [one, other] = sides;
    if (!one || !other)
      return refused(
        "query.unknown-column",
        `the column ${JSON.stringify(name)} of USING is not in both tables`,
      );
    const slots = new Set([...one.slots, ...other.slots]);
    const equal = equals(one, other, place, parameters, level);
    const expr =
      jointype === "JOIN_RIGHT"
        ? other.expr
        : jointype === "JOIN_FULL"
          ? firstOf(one.expr, other.expr, commonType([one.expr, other.expr], place.catalog, "JOIN/USING"))
          : one.expr;
    const named = jointype === "JOIN_RIGHT" ? other.slots : jointype === "JOIN_FULL" ? slots : one.slots;
    return { column: { name, expr, slots: named }, conjunct: { expr: equal, slots } };
  });
  return { columns: pairs.map(({ column }) => column), conjuncts: pairs.map(({ conjunct }) => conjunct) };
}

function firstOf(one: Expr, other: Expr, type: number): Expr {
  return { type, typmod: -1, run: (frame) => one.run(frame) ?? other.run(frame) };
}

function joinedBy(
  type: NonNullable<JoinExpr["jointype"]>,
  left: FromPart,
  right: FromPart,
  on: readonly Conjunct[],
): FromPart {
  const joined = both(left, right, on);
  const whole = (items: readonly Item[], conjuncts: Group["conjuncts"]): FromPart => ({
    ...joined,
    group: { items, conjuncts },
  });
  switch (type) {
    case "JOIN_INNER":
      return joined;
    case "JOIN_LEFT":
      return whole([...left.group.items, optional(right, on)], left.group.conjuncts);
    case "JOIN_RIGHT":
      return whole([...right.group.items, optional(left, on)], right.group.conjuncts);
    case "JOIN_FULL":
      return whole(
        [
          {
            kind: "full",
            left: left.group,
            right: right.group,
            leftSlots: left.slots,
            rightSlots: right.slots,
            needs: new Set(),
            on,
          },
        ],
        [],
      );
    default:
      return refused("query.unsupported", `the catalog here does not know the join ${type}`);
  }
}

/** The side of an outer join that may be left out, with its conditions. */
function optional({ group, slots }: FromPart, on: readonly Conjunct[]): Item {
  const inner = { items: group.items, conjuncts: [...group.conjuncts, ...on] };
  const named = [
    ...inner.conjuncts.flatMap((each) => [...each.slots]),
    ...inner.items.flatMap(({ needs }) => [...needs]),
  ];
  return { kind: "optional", group: inner, slots, needs: new Set(named.filter((slot) => !slots.has(slot))) };
}
