/**
 * The statements that a service that holds the key can make without being contradicted: the noisy numbers themselves, averages and their intervals, a
 * selected key, who asked and when, a loss or odds that are overstated. The last three are made by signing.
 */
export const ownWord: readonly RegExp[] = [
  /^rows\.\d+\.\d+\.value$/,
  /^rows\.\d+\.3\.(lower|upper)$/,
  /^rows\.\d+\.0$/,
  /^certificate\.(requestId|principal|at|ledger\.sequence|losses\..*|odds\..*|account\.mu)$/,
  /^(certificate\.rowsHash|certificate\.ledger\.publicKey|signature)$/,
];
