export { onSchedule } from "@lethe/serve";
export { systemTimer } from "@lethe/server/timer";
