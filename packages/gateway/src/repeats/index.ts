export type { TableVersion } from "./data-version.ts";
export type { Repeat } from "./name-request.ts";
export { type RepeatSources, repeatAhead } from "./repeat-ahead.ts";
export { type SeenStanding, type Standing, type StoodBefore, stillStanding } from "./still-standing.ts";
