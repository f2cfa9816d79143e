/** What ESP-IDF does with the running application. */
export function restart() {
  native("xs_application_restart").call(this);
}
