// One process a batch size: `node memory.mjs NAME BATCH` prints the most bytes that were resident, after steps over the same rows.
import { openGradients } from "@lethe/learn/kernels";
import { makeSource, startWeights, trainStep } from "./step.mjs";

const [name, batch] = [process.argv[2], Number(process.argv[3])];
const source = makeSource(name, 8192);
const gradients = await openGradients(source);
const weights = startWeights(source);
const units = Uint32Array.from({ length: batch }, (_, i) => i);
for (let done = 0; done < 16_384; done += batch) trainStep(gradients, weights, units);
console.log(process.resourceUsage().maxRSS * 1024);
