export { distanceOf, nodeCounts, refutedClaims, refutedTrees } from "./refuted-claims.ts";
