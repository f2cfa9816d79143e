/** In place of web-sim/worker.ts: the same, with serial ports of the test's own, and a pack behind each. */
import { Clock } from "../../../host-sim/clock";
import { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { Wire } from "../../../host-sim/wire";
import "../../../web-sim/worker";
import { TestPort, TestSerial } from "../../support/web/test-port";

const BAUD = 115_200;
const SERIAL_NUMBER = "REAL004711";

const clock = new Clock();
const wire = new Wire(clock, { baud: BAUD });
const bms = new SimulatedBms({ clock, wire: wire.bms, evolving: false, serialNumber: SERIAL_NUMBER });
/** Tells the page, which outlives this worker. */
class ToldPort extends TestPort {
  override async close(): Promise<void> {
    await super.close();
    new BroadcastChannel("port").postMessage("closed");
  }
}
const port = new ToldPort({ clock, end: wire.board });
clock.start();

/** What a test does to it. */
const bench = {
  port,
  register: (name: string): number => bms.registers.read(name),
  write: (name: string, value: number): void => bms.registers.write(name, value),
};

Object.assign(self, { bench });
Object.defineProperty(navigator, "serial", { value: new TestSerial([port]) });
