import { SimulatedBoard } from "../../host-sim/board";
import { bundleForXs } from "../../host-sim/xs/bundle";
import { XsMachine } from "../../host-sim/xs/machine";
import { httpSuite, type ServerStage } from "../suites/http";
import { ENGINE } from "../support/system/engines";
import { serveOnSockets } from "../support/http/http-on-sockets";

const onNode: ServerStage["start"] = async () => {
  const { server, stop } = await serveOnSockets();
  return { port: server.port, stop };
};

const onXs: ServerStage["start"] = async () => {
  const bundle = await bundleForXs("test/support/xs/xs-http-entry.ts");
  const board = new SimulatedBoard({ online: true, console: () => undefined });
  let machine: XsMachine;
  await board.boot(() => {
    machine = new XsMachine(board, bundle);
    machine.boot();
  });
  board.clock.start();
  const stop = (): void => {
    board.clock.stop();
    board.powerOff();
  };
  return { port: machine!.ask("port") as number, stop };
};

httpSuite({ name: `on ${ENGINE}`, start: ENGINE === "xs" ? onXs : onNode });
