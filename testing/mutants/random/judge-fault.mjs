import { runTests } from "../run-tests.mjs";

const minutes = 60_000;

/**
 * Runs the tests that can see a fault, nearest first, until one fails: { verdict: "killed" | "survived" | "unsure", by }. Files that no longer load,
 * and tests that do not end, are red as well. A kill counts only where the killing file passes without the fault.
 */
export async function judgeFault(fault, workplace, related, trusted) {
  const restore = workplace.replace(fault.path, fault.changed);
  let red = null;
  try {
    for (const files of related.roundsFor(fault.path)) {
      const result = await runTests(workplace.folder, files, { bail: true, timeoutMs: 10 * minutes });
      if (result.outcome === "passed") continue;
      red = { ...result, files: result.file ? [result.file] : files };
      break;
    }
  } finally {
    restore();
  }
  if (red === null) return { verdict: "survived", by: null };
  const isSure = await passesWithout(red.files, workplace, trusted);
  return { verdict: isSure ? "killed" : "unsure", by: red.by };
}

async function passesWithout(files, workplace, trusted) {
  for (const file of files) {
    if (!trusted.has(file)) {
      const { outcome } = await runTests(workplace.folder, [file], { bail: true, timeoutMs: 10 * minutes });
      trusted.set(file, outcome === "passed");
    }
    if (!trusted.get(file)) return false;
  }
  return true;
}
