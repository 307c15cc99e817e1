export type { Event, EventKind, SelectionRule } from "./event.ts";
