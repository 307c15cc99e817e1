export { between, enumerateWords, lowBits, type WordCell } from "@lethe/audit/enumerate";
