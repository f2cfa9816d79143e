import main from "../../../src/main";
import { boot } from "./boot";

boot(main, (firmware) => ({
  token: () => firmware.settings.api.token,
  close: () => firmware.close(),
}));
