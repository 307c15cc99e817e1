// A setup file of Vitest in a probed run: says to the process, and to those it starts, which test file runs.
import { expect } from "vitest";

process.env.LETHE_MET_TEST = expect.getState().testPath;
