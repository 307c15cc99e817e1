import { parentPort, workerData } from "node:worker_threads";
import { runLane } from "@lethe/learn/kernels";

await runLane(workerData.memory, workerData.source, () => parentPort?.postMessage("open"));
parentPort?.close();
