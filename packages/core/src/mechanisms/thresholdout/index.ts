export {
  openThresholdout,
  type Thresholdout,
  type ThresholdoutAnswer,
  type ThresholdoutSetting,
  thresholdoutErrorBound,
  thresholdoutEvent,
  thresholdoutFor,
  thresholdoutWith,
} from "./thresholdout.ts";
