/** ESP-IDF settings that the firmware depends on, without `CONFIG_`: each prevents a hang, a bricked device or a lost console. */
export const REQUIRED: Readonly<Record<string, string>> = {
  PARTITION_TABLE_CUSTOM: "y",
  PARTITION_TABLE_MD5: "y",
  BOOTLOADER_SKIP_VALIDATE_ALWAYS: "n",
  BOOTLOADER_APP_ROLLBACK_ENABLE: "y",
  ESP_CONSOLE_NONE: "n",
  ESP_CONSOLE_UART_DEFAULT: "y",
  ESP_CONSOLE_SECONDARY_USB_SERIAL_JTAG: "y",
  ESP_INT_WDT: "y",
  ESP_TASK_WDT_EN: "y",
  ESP_TASK_WDT_INIT: "y",
  ESP_TASK_WDT_PANIC: "y",
  ESP_TASK_WDT_TIMEOUT_S: "30",
  ESP_TASK_WDT_CHECK_IDLE_TASK_CPU0: "n",
  ESP_TASK_WDT_CHECK_IDLE_TASK_CPU1: "n",
  ESP_SYSTEM_PANIC_GDBSTUB: "n",
  ESP_SYSTEM_PANIC_PRINT_REBOOT: "y",
  ESP_COREDUMP_ENABLE_TO_UART: "n",
  ESP_COREDUMP_ENABLE_TO_FLASH: "y",
  ESP_COREDUMP_CAPTURE_DRAM: "n",
  ESP_COREDUMP_STACK_SIZE: "1792",
  ESP_IPC_TASK_STACK_SIZE: "1536",
  // What the SDK's makefile compiles against must be what ESP-IDF links: boards/esp32/manifest.json, boards/esp32/sqrt.c.
  LIBC_NEWLIB: "n",
  LIBC_PICOLIBC: "y",
  LWIP_DHCP_DOES_ARP_CHECK: "y",
  LWIP_L2_TO_L3_COPY: "y",
  LWIP_MAX_ACTIVE_TCP: "16",
  LWIP_TCP_MSL: "5000",
  LWIP_TCP_WND_DEFAULT: "2872",
  LWIP_TCP_QUEUE_OOSEQ: "n",
  LWIP_TCP_SND_BUF_DEFAULT: "5744",
  LWIP_IPV6_AUTOCONFIG: "n",
  ESP_WIFI_ENTERPRISE_SUPPORT: "n",
  ESP_WIFI_ENABLE_WPA3_OWE_STA: "n",
};

/** The last value of each name; commented out or empty means off, as in ESP-IDF. */
export const settingsOf = (sdkconfig: string): ReadonlyMap<string, string> => {
  const settings = new Map<string, string>();
  for (const line of sdkconfig.split("\n")) {
    const [, unset, set, value] = /^(?:# CONFIG_(\w+) is not set|CONFIG_(\w+)=(.*))$/.exec(line) ?? [];
    const name = unset ?? set;
    if (name) settings.set(name, value || "n");
  }
  return settings;
};
