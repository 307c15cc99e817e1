export {
  discreteGaussianMass,
  discreteLaplaceMass,
  type Mass,
  roundedGaussianMass,
  shifted,
  upperTail,
} from "@lethe/audit/verify";
