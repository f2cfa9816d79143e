import { SimulatedBoard } from "../board";

const EthernetDriver = Object.freeze({
  start(hostname: string): void {
    const board = SimulatedBoard.current;
    board.startStack();
    if (board.refusals.refusesAllocation()) throw new Error("no memory");
    board.ethernet.start(hostname);
  },
  isStarted: (): boolean | undefined => SimulatedBoard.current.ethernet.isStarted,
  mac: (): string => SimulatedBoard.current.network.mac.toLowerCase(),
});
export default EthernetDriver;
