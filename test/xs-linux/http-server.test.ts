import { httpSuite } from "../suites/http";
import { XsProgram } from "../support/xs/xs-program";

httpSuite({
  name: "on the SDK's XS, with its sockets",
  async start() {
    const program = await XsProgram.start(process.env["HTTP_PROGRAM"]!, {});
    return { port: program.greeting.port, stop: () => program.stop() };
  },
});
