export { gridFor, gridOf, integerGrid } from "./grid.ts";
