/** The firmware on XS, with the tests' probes. */
import { boot } from "../../host-sim/xs/device/boot";
import main from "../../src/main";
import { probesOf } from "./probes";

boot(main, probesOf);
