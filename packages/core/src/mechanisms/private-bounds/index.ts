export {
  type ChosenBounds,
  choosePrivateBounds,
  geometricCandidates,
  type PrivateBoundsSetting,
  privateBoundsErrorBound,
  privateBoundsEvent,
} from "./private-bounds.ts";
