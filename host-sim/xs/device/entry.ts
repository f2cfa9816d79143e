import main from "../../../src/main";
import { boot } from "./boot";

boot(main, (firmware) => ({
  token: () => firmware.settings.api.token,
  password: () => firmware.settings.web.password,
  close: () => firmware.close(),
}));
