import { SimulatedBoard } from "../board";
import { defaultConfig, type BoardConfig } from "../config";

/** `mc/config` of the board that is current when a member is read; without a current board, the defaults. */
const config = new Proxy({} as BoardConfig, {
  get: (_target, member: keyof BoardConfig) =>
    (SimulatedBoard.powered ? SimulatedBoard.current.config : defaultConfig())[member],
  has: (_target, member) => member in defaultConfig(),
});
export default config;
