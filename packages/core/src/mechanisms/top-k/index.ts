export { type TopK, type TopKBudget, topKFor } from "./top-k.ts";
