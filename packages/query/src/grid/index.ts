export { gridFor, gridOf } from "./grid.ts";
