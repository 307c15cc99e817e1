import { canonicalJson } from "@lethe/core/canonical";
import type { SelectStmt, SubLink } from "@pgsql/types";
import type { ReleasedExpression } from "../../expressions/expression.ts";
import { releasedDomain } from "../../expressions/operators/released.ts";
import { writeName } from "../../expressions/write-sql.ts";
import type { OverRelation, ReleasedRelation } from "../../over/over-relation.ts";
import { publicValues } from "../../over/public-values.ts";
import { refuse } from "../../refusals/refuse.ts";
import { nodesOf } from "../names/nodes.ts";
import { releasedNode } from "../names/released-node.ts";
import { type OverScope, type OverScopeColumn, shownAs } from "./over-scope.ts";
import { replaceNodes } from "./tree-parts.ts";

/** A subquery that stands for a value: (SELECT AVG(x) FROM t). */
interface ValueLink {
  readonly link: SubLink;
  readonly select: SelectStmt;
}

/** Whether a SELECT asks, anywhere in it, a subquery for a value. */
export function asksForValues(select: SelectStmt): boolean {
  for (const link of nodesOf<SubLink>("SubLink", select)) if (valueLink(link)) return true;
  return false;
}

function valueLink(link: SubLink): ValueLink | null {
  const { subLinkType, subselect } = link;
  if (subLinkType !== "EXPR_SUBLINK" || !subselect || !("SelectStmt" in subselect)) return null;
  return { link, select: subselect.SelectStmt };
}

/**
 * Returns a SELECT in which a released value stands in the place of each subquery that `released` returns one for. Others stay, and are for whoever resolves the rows of the
 * SELECT: they may find a value for each row.
 */
export function withReleasedValues(
  select: SelectStmt,
  released: (subquery: SelectStmt, link: SubLink) => ReleasedExpression | null,
): SelectStmt {
  return replaceNodes(select, (node) => {
    if (!("SubLink" in node)) return null;
    const found = valueLink(node.SubLink);
    const value = found && released(found.select, found.link);
    return value && releasedNode(value);
  }) as SelectStmt;
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

/** The values of one text that are released before rows are read. */
export class ReleasedValues {
  readonly #written: (offset: number) => string;
  readonly #isOneRow: (relation: OverRelation) => boolean;
  /** The relations by what they are, each with its SQL; no two have the same. */
  readonly #read: Map<string, ReleasedRelation>;

  constructor(
    written: (offset: number) => string,
    isOneRow: (relation: OverRelation) => boolean,
    read: ReadonlyMap<string, ReleasedRelation> = new Map(),
  ) {
    this.#written = written;
    this.#isOneRow = isOneRow;
    this.#read = new Map(read);
  }

  /** Returns one that knows what this one knows, and learns by itself. */
  copy(): ReleasedValues {
    return new ReleasedValues(this.#written, this.#isOneRow, this.#read);
  }

  /** Returns the relations of all values, in the order in which they were met. */
  all(): readonly ReleasedRelation[] {
    return [...this.#read.values()];
  }

  /** Returns the value of a subquery with these rows. Errors: query.unsupported where it may have several, or reads public tables. */
  of(link: SubLink, { relation, columns }: OverScope): ReleasedExpression {
    const { location: offset } = link;
    const [only, ...others] = columns;
    if (!only || others.length > 0 || !this.#isOneRow(relation))
      return refuse(
        "query.unsupported",
        "a subquery in an expression has one column and one row",
        "aggregate it without GROUP BY: (SELECT AVG(x) FROM …)",
        offset,
      );
    demandAnswers(relation, offset);
    return this.#valueOf(relation, only, offset === undefined ? "(SELECT …)" : this.#written(offset));
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
