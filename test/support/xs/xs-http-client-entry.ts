/** The HTTP client on XS. */
import { boot } from "../../../host-sim/xs/device/boot";
import { clientBench } from "../http/client-bench";

boot(
  () => clientBench(),
  (bench) => bench,
);
