export type { AggregateRequest, Frequencies } from "./frequencies.ts";
export type { LocalMechanism } from "./local-mechanism.ts";
