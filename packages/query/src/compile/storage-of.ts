import type { TableStorage } from "../engine.ts";

/** How each table lies in the database. */
export type StorageOf = (table: string) => TableStorage;
