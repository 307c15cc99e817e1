export { grem } from "./grem.ts";
