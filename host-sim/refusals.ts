/**
 * What the platform refuses or loses, switched by tests and by `--trouble`. A refusal outlasts restarts and power cuts.
 * The sources named are those of Moddable SDK 8.2.3 and ESP-IDF 6.0.2.
 */
export class Refusals {
  /** No socket can be opened: lwIP's pools or the heap are exhausted (`tcp_new` and `udp_new` return NULL). */
  sockets = false;
  /** No UART can be opened (uart_param_config, uart_set_pin or esp_intr_alloc fails). */
  serial = false;
  /** Pads that cannot be claimed, as a digital or an analogue pin. */
  readonly pins = new Set<number>();
  /** ADC conversions fail: `read` returns undefined (modules/io/analog/esp32/_analog.c). */
  conversions = false;
  /** esp_wifi_set_mode or esp_wifi_set_config fails: no access point opens. */
  accessPoint = false;
  /** The time server does not answer. */
  time = false;
  /**
   * The queue of XS's task is full for interrupts: their messages are lost, and the SDK's digital class does not notice.
   * A task that posts waits until there is room (xs/platforms/esp/xsHost.c), such as that of boards/esp32/serial.
   */
  interrupts = false;
  /** Every write to NVS fails: "full" for lack of space; "closed": it cannot even be opened. */
  storage: "full" | "closed" | undefined;
  /** There is no partition "history". */
  history = false;
  #writes = 0;
  #allocations = 0;
  #allocated = 0;

  /** The `nth` write to NVS from now fails. */
  failWrite(nth: number): void {
    this.#writes = nth;
  }

  /**
   * For the storage: whether this write fails. It is stored all the same: NVS reports ESP_ERR_NVS_REMOVE_FAILED when the
   * new value is written, but the old one could not be erased.
   */
  refusesWrite(): boolean {
    return this.#writes > 0 && --this.#writes === 0;
  }

  /** The `nth` allocation of a platform object from now fails. */
  failAllocation(nth: number): void {
    this.#allocations = nth;
  }

  /** Allocations so far. */
  get allocated(): number {
    return this.#allocated;
  }

  /** Whether an allocation is going to fail. */
  get mayRefuseAllocation(): boolean {
    return this.#allocations > 0;
  }

  /** For the platform's classes, before each allocation of a native object: whether it fails. */
  refusesAllocation(): boolean {
    this.#allocated++;
    return this.#allocations > 0 && --this.#allocations === 0;
  }
}
