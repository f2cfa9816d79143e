/** The HTTP server's example on XS. */
import { boot } from "../../../host-sim/xs/device/boot";
import main from "../../../modules/http-server/example/main";

boot(
  () => main(0),
  (server) => ({ port: () => server.port }),
);
