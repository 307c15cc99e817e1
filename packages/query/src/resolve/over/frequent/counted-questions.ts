import type { Node, SelectStmt } from "@pgsql/types";
import { allOf, conjuncts } from "../../../parse/tree/conditions.ts";
import type { QualifiedSelect } from "../../../parse/tree/place-qualify.ts";
import { distinctNames } from "../../names/output-name.ts";
import { columnNamed, holdsAggregate, writtenAlike } from "../tree-parts.ts";
import type { CountedValues } from "./placeholders.ts";

/** How the columns of counts are called. */
export interface CountNames {
  readonly value: string;
  readonly count: string;
}

/** The private questions that count the values of expressions, in each group: one for each expression and its condition. */
export class CountedQuestions {
  readonly #select: QualifiedSelect;
  readonly #keys: readonly Node[];
  readonly #listed: readonly Node[];
  readonly names: CountNames;
  readonly #questions = new Map<string, SelectStmt>();

  constructor(
    select: QualifiedSelect,
    {
      keys,
      listed,
      names,
    }: { readonly keys: readonly Node[]; readonly listed: readonly Node[]; readonly names: CountNames },
  ) {
    this.#select = select;
    this.#keys = keys;
    this.#listed = listed;
    this.names = names;
  }

  /** Returns the questions that were made so far. */
  all(): readonly SelectStmt[] {
    return [...this.#questions.values()];
  }

  question({ value, where }: CountedValues): SelectStmt {
    const written = writtenAlike([value, where]);
    const known = this.#questions.get(written);
    if (known) return known;
    const { fromClause = [], whereClause, havingClause, privacyClause } = this.#select;
    const present: Node = { NullTest: { arg: value, nulltesttype: "IS_NOT_NULL" } };
    const question: QualifiedSelect = {
      targetList: [...this.#listed, shown(value, this.names.value), shown(rowCount, this.names.count)],
      fromClause,
      whereClause: allOf([...conjuncts(whereClause), ...conjuncts(where ?? undefined), present]),
      groupClause: [...this.#keys, value],
      ...(havingClause ? { havingClause } : {}),
      ...(privacyClause ? { privacyClause } : {}),
      op: "SETOP_NONE",
      limitOption: "LIMIT_OPTION_DEFAULT",
    };
    this.#questions.set(written, question);
    return question;
  }
}

const rowCount: Node = { FuncCall: { funcname: [{ String: { sval: "count" } }], agg_star: true } };

/** A private question asks for an aggregate: where only a clause does, it shows a count of its rows. */
export function withAggregate(select: SelectStmt): SelectStmt {
  const { targetList = [] } = select;
  if (holdsAggregate(targetList)) return select;
  const used = targetList.flatMap((item) => ("ResTarget" in item ? [item.ResTarget.name ?? ""] : []));
  const name = distinctNames([...used, "rows"]).at(-1) ?? "rows";
  return { ...select, targetList: [...targetList, shown(rowCount, name)] };
}

export function mostFirst({ largestFirst }: CountedValues, { value, count }: CountNames): Node[] {
  const by = (name: string, isDescending: boolean): Node => ({
    SortBy: {
      node: columnNamed(name),
      sortby_dir: isDescending ? "SORTBY_DESC" : "SORTBY_ASC",
      sortby_nulls: "SORTBY_NULLS_DEFAULT",
    },
  });
  return [by(count, true), by(value, largestFirst)];
}

export function shown(val: Node, name: string): Node {
  return { ResTarget: { name, val } };
}

export function named(select: SelectStmt, aliasname: string): Node {
  return { RangeSubselect: { subquery: { SelectStmt: select }, alias: { aliasname } } };
}

export function whole(ival: number): Node {
  return { A_Const: { ival: { ival } } };
}
