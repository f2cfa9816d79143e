import { BOARD } from "../protocol";
import { invoke } from "./link";

const EthernetDriver = Object.freeze({
  start: (hostname: string): void => void invoke(BOARD, "startEthernet", hostname),
  isStarted: (): boolean | undefined => invoke(BOARD, "isEthernetStarted") as boolean | undefined,
  mac: (): string => invoke(BOARD, "ethernetMac") as string,
});
export default EthernetDriver;
