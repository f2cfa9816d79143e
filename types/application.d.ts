/** This project's own name for what ESP-IDF does with the running application (boards/esp32/application.js). */
declare module "application" {
  export function restart(): void;
}
