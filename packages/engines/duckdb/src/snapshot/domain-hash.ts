import { createHash } from "node:crypto";
import { canonicalJson, type TablePolicy } from "@lethe/query";
import type { SnapshotConversion } from "./conversion.ts";

/**
 * sha256 of all that decides what a snapshot's cells mean: the source, how its CSV is written, the unit, the columns
 * with their domains, and the conversion itself. A snapshot under another hash must not be asked: its integers stand
 * for other values. Budgets and contribution bounds are left out, for they do not touch the cells.
 */
export function domainHash(table: TablePolicy, conversion: SnapshotConversion): string {
  const { file, relation, csv, unit, columns } = table;
  const shape = {
    file,
    relation,
    csv,
    unit,
    columns,
    stored: conversion.columns,
    select: conversion.select([]),
  };
  return createHash("sha256").update(canonicalJson(shape)).digest("hex");
}
