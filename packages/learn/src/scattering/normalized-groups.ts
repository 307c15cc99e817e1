import { invalidParameter } from "@lethe/core/errors";

/** Added to a variance, so that a constant group gives zeros. */
const floor = 1e-5;

/**
 * Brings every group of channels of every picture to mean 0 and variance 1, in place: of that picture alone, so that it costs nothing.
 * Wu & He 2018 (arXiv 1803.08494), without gains. Features are height × width × channels, one picture after another.
 * Errors: parameter.invalid for groups that do not divide the channels, or features that are no whole pictures.
 * @example normalizeGroups(scattering.features(pictures), scattering.shape, 27)
 */
export function normalizeGroups(
  features: Float32Array,
  [height, width, channels]: readonly [number, number, number],
  groups: number,
): Float32Array {
  const [positions, together] = [height * width, channels / groups];
  if (!(Number.isSafeInteger(groups) && groups >= 1 && Number.isSafeInteger(together)))
    throw invalidParameter("groups", groups, `a whole number that divides the ${channels} channels`);
  if (features.length % (positions * channels) !== 0)
    throw invalidParameter("features' length", features.length, `a multiple of ${positions * channels}`);
  for (let picture = 0; picture < features.length; picture += positions * channels) {
    for (let group = 0; group < channels; group += together) {
      let [sum, squares] = [0, 0];
      const each = (visit: (at: number) => void): void => {
        for (let position = 0; position < positions; position++) {
          const from = picture + position * channels + group;
          for (let at = from; at < from + together; at++) visit(at);
        }
      };
      each((at) => {
        sum += features[at] ?? 0;
      });
      const mean = sum / (positions * together);
      each((at) => {
        squares += ((features[at] ?? 0) - mean) ** 2;
      });
      const scale = 1 / Math.sqrt(squares / (positions * together) + floor);
      each((at) => {
        features[at] = ((features[at] ?? 0) - mean) * scale;
      });
    }
  }
  return features;
}
