export { eliminationCliques } from "./elimination-order.ts";
export { cellsOf, type JunctionTree, junctionTree, maximalCliques, treeCells } from "./junction-tree.ts";
export { modelBytes, modelBytesAtMost } from "./model-size.ts";
