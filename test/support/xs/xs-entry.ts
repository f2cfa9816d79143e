/** The firmware on XS, with the tests' probes. */
import { boot } from "../../../host-sim/xs/device/boot";
import main from "../../../src/main";
import { probesOf } from "../system/probes";

// Without probes in a start that failed.
boot(main, (firmware) => (firmware ? probesOf(firmware) : {}));
