import main from "../../../src/main";
import { boot } from "./boot";

boot(main, (firmware) => {
  if (!firmware) throw new Error("the firmware could not be built");
  return {
    token: () => firmware.settings.api.token,
    password: () => firmware.settings.web.password,
    close: () => firmware.close(),
  };
});
