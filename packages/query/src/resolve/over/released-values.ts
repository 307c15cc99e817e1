import { canonicalJson } from "@lethe/core/canonical";
import type { Node, SelectStmt, SubLink } from "@pgsql/types";
import type { ReleasedExpression } from "../../expressions/expression.ts";
import { releasedDomain } from "../../expressions/operators/released.ts";
import { writeName } from "../../expressions/write-sql.ts";
import type { OverRelation, ReleasedRelation } from "../../over/over-relation.ts";
import { publicValues } from "../../over/public-values.ts";
import { refuse } from "../../refusals/refuse.ts";
import { nodesOf, partOf } from "../names/nodes.ts";
import { releasedNode } from "../names/released-node.ts";
import { type OverScope, type OverScopeColumn, shownAs } from "./over-scope.ts";
import { replaceNodes } from "./tree-parts.ts";

/** Whether a SELECT asks, anywhere in it, a subquery for a value, or for a list of values. */
export function asksForValues(select: SelectStmt): boolean {
  for (const link of nodesOf<SubLink>("SubLink", select)) if (valueLink(link) ?? listLink(link)) return true;
  return false;
}

/** (SELECT AVG(x) FROM t), which stands for a value. */
function valueLink({ subLinkType, subselect }: SubLink): SelectStmt | null {
  return subLinkType === "EXPR_SUBLINK" && subselect && "SelectStmt" in subselect
    ? subselect.SelectStmt
    : null;
}

/** x IN (SELECT town FROM t GROUP BY town ORDER BY COUNT(*) DESC LIMIT 3), which stands for a list. */
function listLink({ subLinkType, subselect, testexpr, operName }: SubLink): SelectStmt | null {
  const isEqual = (operName ?? []).every((name) => "String" in name && name.String.sval === "=");
  const isList = subLinkType === "ANY_SUBLINK" && isEqual && testexpr && !("RowExpr" in testexpr);
  return isList && subselect && "SelectStmt" in subselect ? subselect.SelectStmt : null;
}

/** What stands in the place of subqueries; null leaves one. */
export interface InTheirPlace {
  readonly value: (link: SubLink, subquery: SelectStmt) => ReleasedExpression | null;
  readonly list: (link: SubLink, subquery: SelectStmt) => readonly ReleasedExpression[] | null;
}

/**
 * Returns a SELECT in which released values stand in the place of subqueries. Others stay, and are for whoever resolves the rows of the SELECT: they may find a value for each
 * row, or ask for rows of its unit.
 */
export function withReleasedValues(select: SelectStmt, put: InTheirPlace): SelectStmt {
  return replaceNodes(select, (node) => {
    if (!("SubLink" in node)) return null;
    const [one, several] = [valueLink(node.SubLink), listLink(node.SubLink)];
    const value = one && put.value(node.SubLink, one);
    if (value) return releasedNode(value);
    const list = several && put.list(node.SubLink, several);
    return list && isAmong(node.SubLink.testexpr, list);
  }) as SelectStmt;
}

/** Whether an expression is one of some values: NULL where it is NULL. A value that is NULL is none, since there was no row for it. */
function isAmong(x: Node | undefined, values: readonly ReleasedExpression[]): Node {
  const arg = partOf(x);
  const equal = values.map(
    (value): Node => ({
      BooleanTest: {
        arg: {
          A_Expr: {
            kind: "AEXPR_OP",
            name: [{ String: { sval: "=" } }],
            lexpr: arg,
            rexpr: releasedNode(value),
          },
        },
        booltesttype: "IS_TRUE",
      },
    }),
  );
  const isNull: Node = {
    CaseWhen: { expr: { NullTest: { arg, nulltesttype: "IS_NULL" } }, result: { A_Const: { isnull: true } } },
  };
  const [only, ...others] = equal;
  const defresult: Node =
    only && others.length === 0 ? only : { BoolExpr: { boolop: "OR_EXPR", args: equal } };
  return { CaseExpr: { args: [isNull], defresult } };
}

function demandAnswers(relation: OverRelation, offset: number | undefined): void {
  if (publicValues(relation).length > 0)
    refuse(
      "query.unsupported",
      "a value that conditions on rows read is made of answers and public tables together",
      "join the public table inside the question whose answer it is",
      offset,
    );
}

/** A column of an answer in FROM, and its one value. */
export interface LiftedColumn extends OverScopeColumn {
  readonly value: ReleasedExpression;
}

/** The most values of a list. More would be more notes than anybody reads. */
export const mostListed = 20;

/** The values of one text that are released before rows are read. */
export class ReleasedValues {
  readonly #written: (offset: number) => string;
  readonly #mostRows: (relation: OverRelation) => number;
  /** The relations by what they are, each with its SQL; no two have the same. */
  readonly #read: Map<string, ReleasedRelation>;

  constructor(
    written: (offset: number) => string,
    mostRows: (relation: OverRelation) => number,
    read: ReadonlyMap<string, ReleasedRelation> = new Map(),
  ) {
    this.#written = written;
    this.#mostRows = mostRows;
    this.#read = new Map(read);
  }

  /** Returns one that knows what this one knows, and learns by itself. */
  copy(): ReleasedValues {
    return new ReleasedValues(this.#written, this.#mostRows, this.#read);
  }

  /** Returns the relations of all values, in the order in which they were met. */
  all(): readonly ReleasedRelation[] {
    return [...this.#read.values()];
  }

  /** Returns the value of a subquery with these rows. Errors: query.unsupported where it may have several, or reads public tables. */
  of(link: SubLink, { relation, columns }: OverScope): ReleasedExpression {
    const { location: offset } = link;
    const [only, ...others] = columns;
    if (!only || others.length > 0 || this.#mostRows(relation) > 1)
      return refuse(
        "query.unsupported",
        "a subquery in an expression has one column and one row",
        "aggregate it without GROUP BY: (SELECT AVG(x) FROM …)",
        offset,
      );
    demandAnswers(relation, offset);
    return this.#valueOf(relation, only, offset === undefined ? "(SELECT …)" : this.#written(offset));
  }

  /** Returns the values of a subquery that stands for a list. Errors: query.unsupported where it may have more than {@link mostListed}, or reads public tables. */
  list({ location: offset }: SubLink, { relation, columns }: OverScope): readonly ReleasedExpression[] {
    const [only, ...others] = columns;
    const most = this.#mostRows(relation);
    if (!only || others.length > 0 || most > mostListed)
      return refuse(
        "query.unsupported",
        `a list that is released before rows are read has one column, and at most ${mostListed} rows`,
        `cut it off: ORDER BY COUNT(*) DESC LIMIT ${mostListed}`,
        offset,
      );
    demandAnswers(relation, offset);
    const written = offset === undefined ? "(SELECT …)" : this.#written(offset);
    return Array.from({ length: most }, (_, at) => {
      const row: OverRelation = { kind: "ordered", of: relation, orderBy: [], limit: 1, offset: at };
      return this.#valueOf(row, only, `row ${at + 1} of ${written}`);
    });
  }

  /** Returns the columns of an answer of one row that stands in FROM, each as its value. Errors: query.unsupported for an answer that public tables are a part of. */
  columns({ relation, columns }: OverScope): readonly LiftedColumn[] {
    demandAnswers(relation, undefined);
    return columns.map((column) => ({
      ...column,
      value: this.#valueOf(
        relation,
        column,
        `(SELECT ${writeName(column.name)} FROM ${writeName(column.source ?? "answer")})`,
      ),
    }));
  }

  #valueOf(relation: OverRelation, column: OverScopeColumn, written: string): ReleasedExpression {
    const of: OverRelation = { kind: "shown", of: relation, columns: [shownAs("value", column)] };
    return { kind: "released", sql: this.#sqlOf(of, written), domain: releasedDomain(column.type) };
  }

  /** Returns the SQL of a relation as it is written first; where other relations are written alike, with its number. */
  #sqlOf(of: OverRelation, written: string): string {
    const identity = canonicalJson(of);
    const known = this.#read.get(identity);
    if (known) return known.sql;
    const isTaken = this.all().some((other) => other.sql === written);
    const sql = isTaken ? `${written} /* ${this.#read.size + 1} */` : written;
    this.#read.set(identity, { sql, of });
    return sql;
  }
}
