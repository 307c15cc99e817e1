export { type AimSetting, runAim, type SynthesisRound } from "./run-aim.ts";
