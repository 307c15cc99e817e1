export { distanceOf, nodeCounts, refutedClaims, refutedTrees } from "@lethe/audit";
