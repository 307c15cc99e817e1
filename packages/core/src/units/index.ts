export { type Delta, delta, type Epsilon, epsilon, type Rho, rho, type Sigma, sigma } from "./units.ts";
