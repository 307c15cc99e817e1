export { onSchedule, type ScheduledWork } from "./on-schedule.ts";
export type { Timer } from "./timer.ts";
