import type { Node, SelectStmt, SubLink } from "@pgsql/types";
import { replaceNodes, writtenAlike } from "../tree-parts.ts";

/** What is counted for the most frequent values of an expression: its values, in the rows that a condition keeps. */
export interface CountedValues {
  readonly value: Node;
  readonly where: Node | null;
  /** Of values with the same count, whether the largest goes first. */
  readonly largestFirst: boolean;
}

/** One of the most frequent values, or its count: place 1 has the most rows. */
export interface RankedValue {
  readonly counted: CountedValues;
  readonly place: number;
  readonly shows: "value" | "count";
}

/** A subquery in the place of each of the most frequent values: whatever reads a SELECT leaves subqueries as they are. */
export class Placeholders {
  readonly #ranked = new Map<SubLink, RankedValue>();

  add(ranked: RankedValue): Node {
    const link: SubLink = { subLinkType: "EXPR_SUBLINK" };
    this.#ranked.set(link, ranked);
    return { SubLink: link };
  }

  /** Returns what is counted, each once. */
  expressions(): readonly CountedValues[] {
    const found = new Map([...this.#ranked.values()].map(({ counted }) => [writtenAlike(counted), counted]));
    return [...found.values()];
  }

  isIn(tree: unknown): boolean {
    if (typeof tree !== "object" || tree === null) return false;
    return this.#ranked.has(tree as SubLink) || Object.values(tree).some((part) => this.isIn(part));
  }

  /** Returns a tree with another node in the place of each. */
  replace<Tree extends Node | readonly Node[] | SelectStmt>(
    tree: Tree,
    by: (ranked: RankedValue) => Node,
  ): Tree {
    const replaced = (node: Node): Node | null => {
      const ranked = "SubLink" in node ? this.#ranked.get(node.SubLink) : undefined;
      return ranked ? by(ranked) : null;
    };
    return replaceNodes(tree as unknown, replaced) as Tree;
  }
}
