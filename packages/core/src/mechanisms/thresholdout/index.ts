export {
  openThresholdout,
  type Thresholdout,
  type ThresholdoutAnswer,
  type ThresholdoutSetting,
  thresholdoutEvent,
  thresholdoutFor,
  thresholdoutReach,
  thresholdoutWith,
} from "./thresholdout.ts";
