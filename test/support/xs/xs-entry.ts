/** The firmware on XS, with the tests' probes. */
import { boot } from "../../../host-sim/xs/device/boot";
import main from "../../../src/main";
import { probesOf } from "../system/probes";

boot(main, probesOf);
