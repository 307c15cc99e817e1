export { boundEnds, cellAmong, cellInterval, cellTests } from "./bound-cells.ts";
export { stagePlan } from "./bounds-stage.ts";
export { chooseBounds } from "./choose-bounds.ts";
