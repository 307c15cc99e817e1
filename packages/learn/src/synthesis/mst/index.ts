export { mst } from "./mst.ts";
