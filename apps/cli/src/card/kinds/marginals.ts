import type { FittedMarginals } from "@lethe/learn";
import { fixed } from "../../render/number.ts";
import { counted } from "../figures.ts";
import { paragraph, table } from "../markdown.ts";
import type { FittedPart } from "../model-part.ts";
import { modelColumn, names } from "./model-columns.ts";

/** Tables of counts that agree with each other. */
export function marginalsPart(model: FittedMarginals): FittedPart {
  const { tables, total } = model;
  const columns = [
    ...new Map(tables.flatMap((each) => each.columns).map((column) => [column.name, column])).values(),
  ];
  return {
    title: `Counts by ${names(columns)}`,
    about: [
      `It holds counts in ${counted(tables.length, "table")}, which are made to agree in their total and in the columns that they share, and gives the share of rows that are in a row's cell.`,
    ],
    columns: columns.map((column) => modelColumn(column, "column")),
    exactness: [
      table(
        ["table", "cells"],
        tables.map((each) => [
          each.columns.map(({ name }) => names([{ name }])).join(" × "),
          fixed(
            each.columns.reduce((cells, { categories }) => cells * categories.length, 1),
            0,
          ),
        ]),
      ),
      paragraph(
        `The tables are of about ${fixed(total, 0)} rows, a noisy count. The noise of each count is told below; counts are set to at least 0 by a public rule, and there are no intervals.`,
      ),
    ],
    unmeasured: [],
  };
}
