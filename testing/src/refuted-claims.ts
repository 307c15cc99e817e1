export { distanceOf, nodeCounts, refutedClaims, refutedTrees, totalVectors } from "@lethe/audit";
