export { fftRelativeError, type RealFft, realFft } from "./real-fft.ts";
