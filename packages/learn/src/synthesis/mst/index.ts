export { runMst } from "./run-mst.ts";
